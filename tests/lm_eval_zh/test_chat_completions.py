"""The tasks through the harness's own client for OpenAI-compatible servers, against a server of this test."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from lm_eval import simple_evaluate
from lm_eval.tasks import TaskManager

pytest.importorskip("tenacity", reason="needs the harness's client: pip install 'lm-eval[api]'")

REPLY = "【解析】先看第二项。<eoe>\n\n【答案】A <eoa>"


class ChatServer(ThreadingHTTPServer):
    """Answers every request with REPLY and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.asked: list[dict[str, Any]] = []


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        assert isinstance(self.server, ChatServer)
        self.server.asked.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        message = {"role": "assistant", "content": REPLY}
        body = json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ChatServer]:
    running = ChatServer()
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield running
    running.shutdown()
    running.server_close()


def test_requests_and_whole_replies(server: ChatServer, task_manager: TaskManager) -> None:
    results = simple_evaluate(
        model="local-chat-completions",
        model_args={
            "model": "any",
            "base_url": f"http://127.0.0.1:{server.server_port}/v1/chat/completions",
            "num_concurrent": 2,
        },
        tasks=["gaokao_sample"],
        task_manager=task_manager,
        apply_chat_template=True,
        limit=14,
        bootstrap_iters=0,
    )
    assert results is not None
    assert len(server.asked) == 14
    for request in server.asked:
        assert [message["role"] for message in request["messages"]] == ["system", "user"]
        assert request["temperature"] == 0.3
        assert request["max_tokens"] == 4096
        assert not request.get("stop")
    samples = results["samples"]["gaokao_sample"]
    assert {sample["resps"][0][0] for sample in samples} == {REPLY}  # not cut at the blank line
