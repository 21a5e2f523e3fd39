"""Errors of the API: one shape for all, see docs/page-api.md."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse

CODES = {
    400: "bad_json",
    401: "token_needed",
    403: "foreign_origin",
    404: "not_found",
    405: "method_not_allowed",
    408: "too_slow",
    409: "conflict",
    413: "too_large",
    415: "unsupported_type",
    421: "foreign_host",
    422: "invalid_field",
    429: "busy",
    500: "bug",
    503: "worker_restarting",
    504: "time_limit",
}
RETRY = {429: 2, 503: 2}  # seconds to wait


class ApiError(Exception):
    """A request that is refused, with the status to answer."""

    def __init__(self, status: int, message: str, *, code: str = "", field: str = "") -> None:
        super().__init__(message)
        self.status, self.message, self.code, self.field = status, message, code or CODES.get(status, "error"), field

    def to_json(self) -> dict[str, Any]:
        found = {"status": self.status, "code": self.code, "message": self.message}
        return {"error": found | ({"field": self.field} if self.field else {})}

    def response(self) -> JSONResponse:
        headers = {"Retry-After": str(RETRY[self.status])} if self.status in RETRY else None
        return JSONResponse(self.to_json(), self.status, headers)


def not_found(what: str) -> ApiError:
    return ApiError(404, f"there is no such {what}; it may have been evicted from the cache")


def invalid(field: str, message: str) -> ApiError:
    return ApiError(422, message, field=field)


async def answer_error(_request: Request, error: Exception) -> JSONResponse:
    """Every exception as JSON; a bug says no more than that it is one."""
    if isinstance(error, ApiError):
        return error.response()
    status = getattr(error, "status_code", 500)
    messages = {
        404: "there is no such path; see docs/page-api.md",
        405: "this path does not take this method",
        500: "this is a bug; the terminal shows where",
    }
    return ApiError(status, messages.get(status, str(error))).response()
