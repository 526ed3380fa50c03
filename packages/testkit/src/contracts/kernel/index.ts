import { cursors } from "./cursors.ts"
import { idempotencyKeys } from "./idempotencyKeys.ts"
import { ids } from "./ids.ts"
import { locks } from "./locks.ts"
import { rateLimits } from "./rateLimits.ts"
import { unitOfWork } from "./unitOfWork.ts"
import { vault } from "./vault.ts"

export { cursorsContract } from "./cursors.ts"
export { idempotencyKeysContract } from "./idempotencyKeys.ts"
export { idsContract } from "./ids.ts"
export { locksContract } from "./locks.ts"
export { rateLimitsContract } from "./rateLimits.ts"
export { unitOfWorkContract } from "./unitOfWork.ts"
export { vaultContract } from "./vault.ts"

export const kernelContracts = [unitOfWork, locks, idempotencyKeys, rateLimits]

export const kernelSecurityContracts = [ids, cursors, vault]
