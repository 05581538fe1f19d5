#!/bin/sh
# {{label .Name}}: LoRA with ms-swift. Run it in the folder of the data set:
#   pip install "ms-swift>=3.9" && sh recipes/swift.sh
# "loss" on each assistant message says whether it is trained, which the loss
# scale "default" follows. ms-swift before 4.0 calls --tuner_type --train_type.
swift sft \
  --model Qwen/Qwen3-8B \
  --tuner_type lora \
  --dataset{{range .Train.Files}} {{shell .}}{{end}} \
{{- if .Eval.Files}}
  --val_dataset{{range .Eval.Files}} {{shell .}}{{end}} \
{{- end}}
  --agent_template hermes \
  --loss_scale default \
  --max_length {{.Length}} \
  --truncation_strategy delete \
  --torch_dtype bfloat16 \
  --num_train_epochs 2 \
  --per_device_train_batch_size 1 \
  --gradient_accumulation_steps 8 \
  --learning_rate 1e-4 \
  --gradient_checkpointing true \
  --output_dir output
