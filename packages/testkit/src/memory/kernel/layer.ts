import { Layer } from "effect"
import * as IdempotencyKeys from "./IdempotencyKeys.ts"
import * as Locks from "./Locks.ts"
import * as Outbox from "./Outbox.ts"
import * as RateLimits from "./RateLimits.ts"
import * as UnitOfWork from "./UnitOfWork.ts"

export const layer = Layer.mergeAll(
  IdempotencyKeys.layer,
  Locks.layer,
  Outbox.layer,
  RateLimits.layer,
  UnitOfWork.layer
)
