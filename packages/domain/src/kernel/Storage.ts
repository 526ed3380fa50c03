import type { IdempotencyKeys } from "./IdempotencyKeys.ts"
import type { Locks } from "./Locks.ts"
import type { Outbox } from "./Outbox.ts"
import type { RateLimits } from "./RateLimits.ts"
import type { UnitOfWork } from "./UnitOfWork.ts"

/** What a storage adapter provides of this area. */
export type KernelStorage = IdempotencyKeys | Locks | Outbox | RateLimits | UnitOfWork
