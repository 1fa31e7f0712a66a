"""The API page says what the docstrings say."""

import importlib.util
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def test_the_api_page_is_made_from_the_docstrings_of_today():
    spec = importlib.util.spec_from_file_location("api", DOCS / "api.py")
    api = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(api)
    assert api.PAGE.read_text(encoding="utf-8") == api.page(), "run: python python/docs/api.py"


def test_everything_public_is_described():
    import obelus

    for name in obelus.__all__:
        found = getattr(obelus, name)
        assert found.__doc__, name
        for member, value in vars(found).items() if isinstance(found, type) else ():
            if callable(value) and not member.startswith("_"):
                assert value.__doc__, f"{name}.{member}"
