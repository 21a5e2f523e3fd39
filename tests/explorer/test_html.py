import base64
import dataclasses
import gzip
import hashlib
import html
import re

import numpy as np
import pytest
import torch

from seewhy.errors import InputError
from seewhy.explorer import notebook_html, write_html
from seewhy.explorer.html import decode, differences, encode, pack, page_html
from seewhy.ops.curves import pixel_order, pixel_ranks

HOSTILE = "</script><script>document.title='hacked'</script>\"'&"


def test_the_file_of_one_image_with_four_methods_is_small(bundle, tmp_path):
    assert write_html(bundle, tmp_path / "deep" / "explorer.html").stat().st_size < 1.5e6


def test_the_file_stays_small_with_four_maps_as_fine_as_the_image(bundle):
    maps = torch.randn(2, 224, 224, generator=torch.Generator().manual_seed(0))
    ranks = pixel_ranks(pixel_order(maps)).view_as(maps).numpy().astype(np.uint16)
    fine = dataclasses.replace(bundle.entries[0], maps=maps.numpy(), ranks=ranks)
    assert len(page_html(dataclasses.replace(bundle, entries=(fine,) * 4 + bundle.entries[2:]))) < 1.5e6


def test_any_bytes_can_be_encoded_and_need_no_escape():
    for length in range(1, 12):
        content = np.random.default_rng(length).bytes(length)
        assert decode(encode(content)) == content
    text = encode(bytes(range(256)) * 50)
    assert html.escape(text, quote=True) == text


def test_the_policy_admits_the_script_and_nothing_else(bundle):
    page = page_html(bundle)
    script = re.search(r'<script type="module">(.*?)</script>', page, flags=re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"default-src 'none'; script-src 'sha256-{digest}'; img-src data: blob:" in page
    assert len(re.findall("<script", page)) == 2
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", page)


def test_hostile_names_stay_text(bundle):
    evil = dataclasses.replace(bundle, name=HOSTILE, class_names=dict.fromkeys(bundle.class_names, HOSTILE))
    page = page_html(evil, title=HOSTILE)
    assert HOSTILE not in page
    assert f"<title>{html.escape(HOSTILE)}</title>" in page


def test_a_notebook_gets_the_whole_page_in_one_attribute(bundle):
    frame = notebook_html(bundle, height=500)
    srcdoc = re.fullmatch(r'<iframe [^<>]*height:500px[^<>]* srcdoc="([^"]*)"></iframe>', frame)[1]
    assert html.unescape(srcdoc) == page_html(bundle)


def test_packing_keeps_every_byte(bundle):
    content = gzip.decompress(pack(bundle))
    plain = bundle.to_bytes(compact=True)
    start = 8 + int.from_bytes(plain[:8], "little")
    assert content[:start] == plain[:start]
    assert len(content) == len(plain)
    assert pack(bundle) == pack(bundle)


@pytest.mark.parametrize("dtype", [np.uint8, np.uint16, np.uint32])
def test_differences_can_be_undone(dtype):
    values = np.random.default_rng(0).integers(0, np.iinfo(dtype).max, (5, 7), dtype=dtype, endpoint=True)
    stored = differences(values)
    steps = (stored >> 1) ^ (-(stored & 1).astype(np.int64)).astype(dtype)
    undone = np.cumsum(np.cumsum(steps, axis=0, dtype=dtype), axis=1, dtype=dtype)
    np.testing.assert_array_equal(undone, values)


def test_no_bundle_is_an_error(tmp_path):
    with pytest.raises(InputError, match="at least one bundle"):
        write_html([], tmp_path / "explorer.html")
