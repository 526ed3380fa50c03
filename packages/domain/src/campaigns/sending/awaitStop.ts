import { Effect, Schedule } from "effect"
import { afterCommit } from "../../kernel/index.ts"
import type { BroadcastId } from "../Ids.ts"
import { RecipientLedger } from "../RecipientLedger.ts"
import { stopWithin } from "./limits.ts"

const lookEvery = "50 millis"

/** Waits, once it is committed that the broadcast is not sending, until no call of it starts any more: its sender says so, or has lost its lease. */
export const awaitStop = (id: BroadcastId) =>
  afterCommit(
    Effect.flatMap(RecipientLedger, (ledger) => ledger.isStopped(id)).pipe(
      Effect.repeat({ until: (isStopped) => isStopped, schedule: Schedule.spaced(lookEvery) }),
      Effect.timeoutOrElse({ duration: stopWithin, orElse: () => Effect.succeed(true) }),
      Effect.asVoid
    )
  )
