"""How fast the judge client is, beside the ideal and beside a pool of threads that post one request each.

    python benchmarks/judge_speed.py [--requests 1024] [--at-once 64]

A server of its own process answers over HTTPS after a fixed latency, with a certificate made for the run. The reference
is how AlignBench's judge works: `requests.post` in a pool of threads. All figures are from one run; compare ratios, the
machine's load is in all of them. Needs the extra `test` (trustme).
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import ssl
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path

import requests
import trustme

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

CHARACTERS = 1500


def serve(latency: float, certificate: str, pipe: Connection) -> None:
    """A server with this latency, until the other end of the pipe says stop."""
    from judge_server import JudgeServer, Step

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with JudgeServer(lambda body, before: Step(text="【总分】7分", delay=latency), tls=context) as server:
        pipe.send(server.url)
        pipe.recv()


def ours(url: str, prompts: list[str], at_once: int) -> float:
    """Seconds the judge client takes, its cache included."""
    from zh_metrics.judge import EndpointJudge, JudgeRequest, JudgeSettings, ReplyCache

    with tempfile.TemporaryDirectory() as folder:
        settings = JudgeSettings(model="judge", base_url=url, concurrency=at_once)
        judge = EndpointJudge(settings, ReplyCache(folder), progress=False)
        asked = [JudgeRequest.of_texts("你是阅卷老师。", prompt) for prompt in prompts]
        started = time.perf_counter()
        judgments = judge.judge(asked)
        seconds = time.perf_counter() - started
    assert {judgment.text for judgment in judgments} == {"【总分】7分"}
    return seconds


def reference(url: str, prompts: list[str], at_once: int, authority: str) -> float:
    """Seconds a pool of threads takes, each posting one request after another."""

    def post(prompt: str) -> str:
        messages = [{"role": "system", "content": "你是阅卷老师。"}, {"role": "user", "content": prompt}]
        body = {"model": "judge", "temperature": 0.0, "max_tokens": 4096, "messages": messages}
        response = requests.post(f"{url}/chat/completions", json=body, verify=authority, timeout=60)
        return str(response.json()["choices"][0]["message"]["content"])

    started = time.perf_counter()
    with ThreadPoolExecutor(at_once) as pool:
        replies = set(pool.map(post, prompts))
    assert replies == {"【总分】7分"}
    return time.perf_counter() - started


def measure(latency: float, n_requests: int, at_once: int, certificate: str, authority: str) -> None:
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(latency, certificate, there))
    server.start()
    url = here.recv()
    prompts = [f"{number}：{'答' * CHARACTERS}" for number in range(n_requests)]
    ideal = n_requests * latency / at_once
    mine = ours(url, prompts, at_once)
    theirs = reference(url, prompts, at_once, authority)
    here.send("stop")
    server.join()
    print(
        f"latency {latency * 1000:.0f} ms: ideal {ideal:.2f} s, ours {mine:.2f} s, threads {theirs:.2f} s; "
        f"share of the ideal {ideal / mine:.2f}, requests a second over the threads' {theirs / mine:.2f}"
    )


def memory(n_requests: int, certificate: str) -> None:
    """Peak memory after a tenth of the requests, and after all of them."""
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(0.0, certificate, there))
    server.start()
    url = here.recv()
    peaks = []
    for count in (n_requests // 10, n_requests):
        ours(url, [f"{count}-{number}：{'答' * CHARACTERS}" for number in range(count)], 64)
        peaks.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
    here.send("stop")
    server.join()
    texts = n_requests * CHARACTERS * 2 / 1e6
    print(
        f"peak memory: {peaks[0]:.0f} MB after {n_requests // 10} requests, {peaks[1]:.0f} MB after {n_requests} "
        f"(whose texts alone are {texts:.0f} MB)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--requests", type=int, default=1024)
    parser.add_argument("--at-once", type=int, default=64)
    parser.add_argument("--memory", type=int, default=0, metavar="N", help="also measure memory over N requests")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        authority, certificate = Path(folder) / "ca.pem", Path(folder) / "server.pem"
        ca = trustme.CA()
        ca.cert_pem.write_to_path(str(authority))
        ca.issue_cert("localhost").private_key_and_cert_chain_pem.write_to_path(str(certificate))
        os.environ["SSL_CERT_FILE"] = str(authority)
        for latency in (1.0, 0.05):
            measure(latency, options.requests, options.at_once, str(certificate), str(authority))
        if options.memory:
            memory(options.memory, str(certificate))


if __name__ == "__main__":
    main()
