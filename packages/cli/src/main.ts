#!/usr/bin/env node
import { tuneHeap } from "./heap.ts"

tuneHeap()
await import("./program.ts")
