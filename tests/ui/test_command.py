"""`seewhy ui` from the command line: wrong use is refused before a model is loaded."""

import socket

import pytest
from typer.testing import CliRunner

from seewhy.cli import app
from seewhy.errors import InputError
from seewhy.ui.server import address, bind
from seewhy.ui.settings import ModelSpec, Settings


def test_a_port_that_is_taken_is_named():
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(InputError, match=f"port {port}: Address already in use. Choose another one with --port"):
            bind("127.0.0.1", port)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--prefix", "a b"], "--prefix must be a path"),
        (["--weights", "a", "--weights", "b"], "2 --weights for 1 --model"),
    ],
)
def test_wrong_use(arguments, message):
    result = CliRunner().invoke(app, ["ui", "--no-open", *arguments], env={"COLUMNS": "200", "NO_COLOR": "1"})
    assert result.exit_code == 2
    assert message in result.output


def test_the_address_holds_the_token_only_beyond_this_machine():
    models = (ModelSpec("seewhy/scenes-vit"),)
    assert address(Settings(models, port=80)) == "http://127.0.0.1:80/"
    shared = Settings(models, host="0.0.0.0", token="abc", prefix="/x")
    assert address(shared) == "http://127.0.0.1:8765/x/?token=abc"
