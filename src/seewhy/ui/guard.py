"""What every request must pass: host, token, origin; and the headers that every response carries."""

import hmac
import ipaddress
from http.cookies import SimpleCookie
from urllib.parse import parse_qs, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from seewhy.ui.errors import ApiError
from seewhy.ui.settings import LOOPBACK, Settings

COOKIE = "seewhy_token"
SAFE = ("GET", "HEAD", "OPTIONS")
POLICY = (
    "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
SANDBOX = (
    "sandbox allow-scripts allow-popups; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; "
    "img-src 'self' data: blob:; frame-ancestors 'self'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cache-Control": "no-store",
}


class Guard:
    """Refuses requests from elsewhere before anything else sees them."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        refusal = self.refuse(scope)
        await (refusal or self.app)(scope, receive, with_headers)

    def refuse(self, scope: Scope) -> Response | None:
        """The response to a request that must not go on; None if it may."""
        headers = Headers(scope=scope)
        try:
            check_host(headers, self.settings)
            signed_in = self.check_token(scope, headers)
            check_origin(scope["method"], headers)
        except ApiError as error:
            return error.response()
        return signed_in

    def check_token(self, scope: Scope, headers: Headers) -> Response | None:
        """Compare the token, if there is one; one in the address moves to a cookie."""
        token = self.settings.token
        if token is None or self.opens_report(scope):
            return None
        query = parse_qs(scope["query_string"].decode("latin-1"))
        if scope["method"] == "GET" and _same(query.pop("token", [""])[0], token):
            path = f"{self.settings.prefix}/" + (f"?{urlencode(query, doseq=True)}" if query else "")
            response = RedirectResponse(path, 303)
            response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path=f"{self.settings.prefix}/")
            return response
        scheme, _, bearer = headers.get("authorization", "").partition(" ")
        given = bearer.strip() if scheme.lower() == "bearer" else _cookie(headers)
        if not _same(given, token):
            raise ApiError(401, "this page needs its token: open the address that `seewhy ui` printed")
        return None

    def opens_report(self, scope: Scope) -> bool:
        """Whether the address of a file of a report holds the key of reports."""
        below = scope["path"].removeprefix(f"{self.settings.prefix}/reports/")
        key = below.partition("/")[0]
        return scope["method"] == "GET" and below != scope["path"] and _same(key, self.settings.report_key)


def check_host(headers: Headers, settings: Settings) -> None:
    """A page of another site whose name was pointed here (DNS rebinding) has another Host header."""
    name = host_name(headers.get("host", ""))
    known = name in settings.allowed_hosts or (settings.host not in LOOPBACK and _is_ip_address(name))
    if not known or len(headers.getlist("host")) != 1:
        names = ", ".join(sorted(settings.allowed_hosts))
        raise ApiError(421, f"this page is not known by that name; its names are {names}. --allow-host adds one")


def check_origin(method: str, headers: Headers) -> None:
    """Browsers say where a POST comes from; programs say nothing."""
    if method in SAFE:
        return
    origin, site = headers.get("origin"), headers.get("sec-fetch-site", "same-origin")
    own = headers["host"].lower()
    if site not in ("same-origin", "none") or (origin is not None and urlsplit(origin.lower()).netloc != own):
        raise ApiError(403, "requests that change something are accepted from this page only")


def host_name(host: str) -> str:
    """The name without port.

    >>> host_name("127.0.0.1:8765"), host_name("[::1]:80"), host_name("evil@localhost")
    ('127.0.0.1', '::1', '')
    """
    try:
        parts = urlsplit(f"//{host}")
        return "" if "@" in host or parts.path or parts.port == 0 else (parts.hostname or "")
    except ValueError:
        return ""


def _is_ip_address(name: str) -> bool:
    """Whether a host is an address of a machine, which no other site can take."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _cookie(headers: Headers) -> str:
    cookie: SimpleCookie = SimpleCookie()
    try:
        cookie.load(headers.get("cookie", ""))
    except Exception:  # hostile cookies
        return ""
    return cookie[COOKIE].value if COOKIE in cookie else ""


def _same(given: str, token: str) -> bool:
    return hmac.compare_digest(given.encode(), token.encode())
