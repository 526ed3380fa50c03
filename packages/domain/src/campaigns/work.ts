import { DateTime, Effect } from "effect"
import { transact } from "../kernel/index.ts"
import { sweepTenants } from "../work/index.ts"
import { Audiences } from "./Audiences.ts"

/** How many rows of lists that were kept are deleted at once. */
const stride = 10_000

const sweepSnapshots = Effect.gen(function* () {
  const audiences = yield* Audiences
  const now = yield* DateTime.now
  while ((yield* transact(audiences.forget(now, stride))) >= stride) yield* Effect.yieldNow
})

/** Lists of recipients that were kept for a preview are deleted when they have expired. */
export const campaignsWorks = [sweepTenants("audience snapshots", sweepSnapshots)] as const
