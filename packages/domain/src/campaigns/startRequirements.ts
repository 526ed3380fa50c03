import { DateTime, Effect } from "effect"
import { needsOfFilters, resolveFilter } from "../crm/index.ts"
import {
  CurrentActor,
  type Fault,
  holds,
  type NotFound,
  type Permission,
  PermissionDenied,
  requireReach,
  ValidationFailed
} from "../kernel/index.ts"
import { ChatAccounts, MessageTemplates } from "../messaging/chat/index.ts"
import { ChatAccountDisconnected, TemplateNotApproved } from "../messaging/inbox/index.ts"
import { Organizations } from "../platform/identity/index.ts"
import { type Broadcast, messagesOf } from "./Broadcast.ts"
import { requireRetried } from "./audience/planAudience.ts"
import { checkMessages } from "./definitionChecks.ts"
import { faultsOfSchedule } from "./timing/Schedule.ts"

/** A retry selects by the status of earlier recipients, like the field `broadcast`. */
const ofRetry: ReadonlyArray<Permission> = ["broadcasts.read"]

/** A recipient without a value is excluded as `missing_variable`, so the counts answer for the fields of values as for those of filters. */
const ofValues = ({ variables, variants }: Pick<Broadcast, "variables" | "variants">): ReadonlyArray<Permission> =>
  [variables, ...(variants ?? []).map((variant) => variant.variables)].some((values) =>
    Object.values(values).some(({ kind }) => kind !== "constant")
  )
    ? ["contacts.read"]
    : []

/**
 * Fails unless the actor holds the permission of each field of the audience and of the values. Previews and sends also evaluate what other
 * authors wrote.
 */
export const requireAudienceReach = Effect.fnUntraced(function* ({
  audience,
  exclude,
  retry,
  variables,
  variants
}: Pick<Broadcast, "audience" | "exclude" | "retry" | "variables" | "variants">) {
  const fields = yield* needsOfFilters([audience, exclude])
  yield* requireReach([...fields, ...ofValues({ variables, variants }), ...(retry === null ? [] : ofRetry)])
})

/** Only who may send changes what is about to be sent, or lets a broadcast ignore the rules that protect contacts. */
export const requireRightsToSay = Effect.fnUntraced(function* (before: Broadcast | null, after: Broadcast) {
  const changesRules =
    after.ignoreFrequencyCaps !== (before?.ignoreFrequencyCaps ?? false) ||
    after.ignoreQuietHours !== (before?.ignoreQuietHours ?? false)
  const needsSending = before?.status === "scheduled" || changesRules
  if (needsSending && !holds(yield* CurrentActor, "broadcasts.send")) {
    return yield* new PermissionDenied({ permission: "broadcasts.send" })
  }
})

/** Whether a broadcast is to start at once, or when its schedule says. */
export interface Start {
  readonly startsNow: boolean
}

/** What is gone since it was given is a fault of the broadcast, and not of the request. */
const asFaults = (refusal: ValidationFailed | NotFound): ReadonlyArray<Fault> =>
  refusal._tag === "ValidationFailed"
    ? refusal.errors
    : [{ pointer: refusal.pointer ?? "", message: `There is no ${refusal.resource} with this id any more` }]

/** A missing permission is not a problem of the broadcast. It stays an error. */
const faultsIn = <R>(check: Effect.Effect<unknown, ValidationFailed | NotFound | PermissionDenied, R>) =>
  check.pipe(
    Effect.map((): ReadonlyArray<Fault> => []),
    Effect.catchTag(["ValidationFailed", "NotFound"], (refusal) => Effect.succeed(asFaults(refusal)))
  )

const unlessGiven = (part: unknown, pointer: string, message: string): ReadonlyArray<Fault> =>
  part === null ? [{ pointer, message }] : []

const missingParts = (broadcast: Broadcast): ReadonlyArray<Fault> => [
  ...unlessGiven(broadcast.chatAccountId, "/chatAccountId", "Expected a chat account"),
  ...messagesOf(broadcast).flatMap(({ pointer, templateId }) =>
    unlessGiven(templateId, `${pointer}/templateId`, "Expected a message template")
  ),
  ...unlessGiven(broadcast.audience, "/audience", "Expected an audience: {} is everybody")
]

const scheduleFaults = Effect.fnUntraced(function* ({ schedule, startedAt }: Broadcast, { startsNow }: Start) {
  if (schedule === null) {
    return startsNow ? [] : [{ pointer: "/schedule", message: "Expected a schedule that says when to start" }]
  }
  const { timezone } = yield* (yield* Organizations).current()
  const { at: _at, localAt: _localAt, ...limits } = schedule
  const { notAfter: _notAfter, ...afterStart } = limits
  // What has started goes on after the latest time at which it might have started.
  const checked = startedAt === null ? limits : afterStart
  const faults = faultsOfSchedule(startsNow ? checked : schedule, {
    now: yield* DateTime.now,
    organizationZone: DateTime.zoneMakeNamedUnsafe(timezone),
    startsNow
  })
  return faults.map(({ message, pointer }) => ({ pointer: `/schedule${pointer}`, message }))
})

/** All reasons that block a send of the broadcast, in rejection order. */
export const findRefusals = Effect.fnUntraced(function* (broadcast: Broadcast, start: Start) {
  const { audience, chatAccountId, exclude } = broadcast
  const errors = [
    ...missingParts(broadcast),
    ...(yield* faultsIn(checkMessages(broadcast, "whole"))),
    ...(audience === null ? [] : yield* faultsIn(resolveFilter(audience, "/audience"))),
    ...(exclude === null ? [] : yield* faultsIn(resolveFilter(exclude, "/exclude"))),
    ...(yield* faultsIn(requireRetried(broadcast))),
    ...(yield* scheduleFaults(broadcast, start))
  ]
  const messages = messagesOf(broadcast)
  const ids = messages.flatMap(({ templateId }) => templateId ?? [])
  const templates = yield* (yield* MessageTemplates).find([...new Set(ids)])
  const unapproved = messages.flatMap(({ pointer, templateId }) => {
    const template = templates.find(({ id }) => id === templateId)
    return template === undefined || template.status === "approved"
      ? []
      : [{ pointer: `${pointer}/templateId`, error: new TemplateNotApproved({ status: template.status }) }]
  })
  const [account] = chatAccountId === null ? [] : yield* (yield* ChatAccounts).find([chatAccountId])
  return {
    errors,
    unapproved,
    disconnected: account?.status === "disconnected" ? new ChatAccountDisconnected() : null
  }
})

/**
 * Rejects a broadcast that is not ready. The order is: parts that are not ready, each with a pointer into the broadcast; a template that is not
 * approved; a disconnected chat account.
 */
export const requireReady = Effect.fnUntraced(function* (broadcast: Broadcast, start: Start) {
  const { disconnected, errors, unapproved } = yield* findRefusals(broadcast, start)
  if (errors.length > 0) return yield* new ValidationFailed({ errors })
  const [refused] = unapproved
  if (refused !== undefined) return yield* refused.error
  if (disconnected !== null) return yield* disconnected
})
