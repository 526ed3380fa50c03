import { Effect } from "effect"
import { PlanLimitReached } from "../../platform/entitlements/index.ts"
import type { PreviewWarning } from "../AudiencePreview.ts"
import type { Broadcast } from "../Broadcast.ts"
import { AudienceEmpty } from "../Errors.ts"
import { readPlanQuota } from "../usage.ts"
import { findRefusals } from "./requireReady.ts"

const startsNow = ({ schedule }: Broadcast) => schedule?.at === undefined && schedule?.localAt === undefined

/** Reasons why a send to `toSend` of `matched` contacts would be rejected now. */
export const findWarnings = Effect.fnUntraced(function* (
  broadcast: Broadcast,
  { matched, toSend }: { readonly matched: number; readonly toSend: number }
) {
  const { disconnected, errors, unapproved } = yield* findRefusals(broadcast, { startsNow: startsNow(broadcast) })
  const { max, used } = yield* readPlanQuota
  const warnings: ReadonlyArray<PreviewWarning> = [
    ...errors.map(({ message, pointer }) => ({ code: "validation_failed" as const, pointer, detail: message })),
    ...unapproved.map(({ error, pointer }) => ({
      code: "template_not_approved" as const,
      pointer,
      detail: error.message
    })),
    ...(disconnected === null
      ? []
      : [{ code: "chat_account_disconnected" as const, pointer: "/chatAccountId", detail: disconnected.message }]),
    ...(toSend > 0
      ? []
      : [{ code: "audience_empty" as const, pointer: "/audience", detail: new AudienceEmpty({ matched }).message }]),
    ...(used + toSend <= max
      ? []
      : [
          {
            code: "plan_limit_reached" as const,
            pointer: "",
            detail: new PlanLimitReached({ limit: "broadcastRecipientsPerMonth", current: used, max }).message
          }
        ])
  ]
  return warnings
})
