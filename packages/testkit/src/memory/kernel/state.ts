import type { NewResponse } from "@parley/domain/kernel"
import { HashMap } from "effect"

/** Stored response for an idempotency key. */
export interface AnswerRow {
  readonly response: NewResponse
  /** Erasures of the organization when the request claimed the key. */
  readonly seenErasures: number
  readonly isDeleted: boolean
  readonly storedAt: number
}

/** Usage of one bucket in the window with this end. */
export interface BucketRow {
  readonly used: number
  readonly resetsAt: number
}

/** Rows of this folder outside of organizations. */
export interface KernelState {
  readonly answers: HashMap.HashMap<string, AnswerRow>
  /** Erasures that withdrew responses, by organization. */
  readonly erasures: HashMap.HashMap<string, number>
  readonly buckets: HashMap.HashMap<string, BucketRow>
}

export const emptyKernelState: KernelState = {
  answers: HashMap.empty(),
  erasures: HashMap.empty(),
  buckets: HashMap.empty()
}
