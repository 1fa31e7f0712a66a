"""Short Python exceptions for what the JVM reports; the Java stack stays behind them as ``__cause__``.

A user should read one sentence that names the file, option or column. Spark's own errors of analysis
are short already and pass through unchanged.
"""

import re
from contextlib import contextmanager
from typing import Any, Iterator, List, Optional, Tuple, Type

from py4j.protocol import Py4JJavaError
from pyspark.errors.exceptions.captured import CapturedException


class ObelusError(Exception):
    """Something that Obelus, or the job it ran, could not do. ``java_class`` names what the JVM threw."""

    java_class: Optional[str] = None


class CorruptFileError(ObelusError):
    """Bytes of the table are not what they should be."""


class UnknownVersionError(ObelusError):
    """A file of the table was written in a format newer than this Obelus."""


class CommitConflictError(ObelusError):
    """Somebody else committed first; the table stands as that commit left it."""


class InvalidRequestError(ObelusError, ValueError):
    """The request cannot be done: the message names the option, column or table."""


_OF_JAVA = {
    "io.obelus.core.io.CorruptFileException": CorruptFileError,
    "io.obelus.core.io.UnknownVersionException": UnknownVersionError,
    "io.obelus.core.io.CommitConflictException": CommitConflictError,
}
# A task's exception is only text in the message of the job's one.
_IN_TEXT = re.compile(
    r"(io\.obelus\.[\w.]+Exception|java\.lang\.IllegalArgumentException): (.*?)(?=\n\tat |\nDriver stacktrace|\Z)",
    re.S,
)


@contextmanager
def short_errors() -> Iterator[None]:
    """Turns what the JVM throws inside into an ObelusError."""
    try:
        yield
    except (Py4JJavaError, CapturedException) as error:
        found = _told(error)
        if found is None:
            raise
        kind, java_class, message = found
        short = kind(message)
        short.java_class = java_class
        raise short from error


def _told(error: Exception) -> Optional[Tuple[Type[ObelusError], str, str]]:
    """The kind, Java class and message of the exception that tells most; None if error is short already."""
    chain = _chain(getattr(error, "java_exception", None) or getattr(error, "_origin", None))
    for throwable, name in chain:
        if name in _OF_JAVA:
            return _OF_JAVA[name], name, _message(throwable)
        if _is_request(throwable, name):
            return InvalidRequestError, name, _message(throwable)
    for throwable, _ in chain:
        text = _IN_TEXT.search(_message(throwable))
        if text:
            return _OF_JAVA.get(text.group(1), InvalidRequestError), text.group(1), text.group(2).strip()
    if isinstance(error, CapturedException) or not chain:
        return None
    throwable, name = chain[-1]
    first_line = _message(throwable).split("\n", 1)[0]
    return ObelusError, name, f"{name.rsplit('.', 1)[-1]}: {first_line}"


def _is_request(throwable: Any, name: str) -> bool:
    """Whether our own code refused: ours by class, or thrown by a class of ours."""
    if name.startswith("io.obelus."):
        return True
    frames = throwable.getStackTrace()
    return (
        name in ("java.lang.IllegalArgumentException", "java.lang.UnsupportedOperationException")
        and len(frames) > 0
        and frames[0].getClassName().startswith("io.obelus.")
    )


def _chain(throwable: Any) -> List[Tuple[Any, str]]:
    chain: List[Tuple[Any, str]] = []
    while throwable is not None and len(chain) < 50:
        chain.append((throwable, throwable.getClass().getName()))
        throwable = throwable.getCause()
    return chain


def _message(throwable: Any) -> str:
    return str(throwable.getMessage() or throwable.getClass().getName())
