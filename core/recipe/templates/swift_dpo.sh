#!/bin/sh
# {{label .Name}}: DPO with ms-swift. Run it in the folder of the data set:
#   pip install "ms-swift>=3.9" && sh recipes/swift_dpo.sh
# What follows the last user message or result of a tool is trained: the answer.
# ms-swift before 4.0 calls --tuner_type --train_type.
swift rlhf \
  --rlhf_type dpo \
  --model Qwen/Qwen3-8B \
  --tuner_type lora \
  --dataset{{range .Train.Files}} {{shell .}}{{end}} \
{{- if .Eval.Files}}
  --val_dataset{{range .Eval.Files}} {{shell .}}{{end}} \
{{- end}}
  --agent_template hermes \
  --beta 0.1 \
  --max_length {{.Length}} \
  --truncation_strategy delete \
  --torch_dtype bfloat16 \
  --num_train_epochs 1 \
  --per_device_train_batch_size 1 \
  --gradient_accumulation_steps 8 \
  --learning_rate 5e-6 \
  --gradient_checkpointing true \
  --output_dir output
