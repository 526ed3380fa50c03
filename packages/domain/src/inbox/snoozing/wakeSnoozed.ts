import { Cause, DateTime, Effect } from "effect"
import {
  type Actor,
  CurrentActor,
  CurrentOrganization,
  isAway,
  type OrganizationId,
  transact
} from "../../kernel/index.ts"
import { appendEvent } from "../appendEvent.ts"
import type { Conversation } from "../Conversation.ts"
import { Conversations, SnoozeClock } from "../Conversations.ts"
import type { ConversationId } from "../Ids.ts"
import { inStatus } from "../states.ts"

const mostAtOnce = 200

const clock: Actor = { kind: "system", name: "snooze" }

const isDue = ({ snoozedUntil, status }: Conversation, now: DateTime.Utc) =>
  status === "snoozed" && snoozedUntil !== null && DateTime.isLessThanOrEqualTo(snoozedUntil, now)

const wake = Effect.fnUntraced(function* (ids: ReadonlyArray<ConversationId>) {
  const conversations = yield* Conversations
  const now = yield* DateTime.now
  const due = (yield* conversations.lock(ids)).filter((conversation) => isDue(conversation, now))
  if (due.length === 0) return 0
  yield* conversations.saveAll(yield* Effect.forEach(due, (conversation) => inStatus(conversation, "open", now)))
  for (const { id: conversationId } of due) {
    yield* appendEvent({ type: "conversation.status_changed", conversationId, from: "snoozed", to: "open" })
  }
  return due.length
}, transact)

/** What ails one organization keeps nobody else's conversations asleep. */
const wakeOf = (organizationId: OrganizationId, ids: ReadonlyArray<ConversationId>) =>
  wake(ids).pipe(
    Effect.catchCauseIf(
      (cause) => !Cause.hasInterrupts(cause) && !isAway(cause),
      (cause) =>
        Effect.as(Effect.logError(`Snoozed conversations of the organization ${organizationId} stay asleep`, cause), 0)
    ),
    Effect.provideService(CurrentOrganization, { id: organizationId }),
    Effect.provideService(CurrentActor, clock)
  )

const wakeSome = Effect.gen(function* () {
  const found = yield* (yield* SnoozeClock).due(yield* DateTime.now, mostAtOnce)
  const ofOrganizations = Map.groupBy(found, ({ organizationId }) => organizationId)
  const woken = yield* Effect.forEach(
    ofOrganizations,
    ([organizationId, rows]: readonly [OrganizationId, typeof found]) =>
      wakeOf(
        organizationId,
        rows.map(({ id }) => id)
      )
  )
  return found.length === mostAtOnce && woken.some((count) => count > 0)
})

/** Opens the snoozed conversations whose time has come, of all organizations. */
export const wakeSnoozed = Effect.repeat(wakeSome, { while: (hasMore) => hasMore }).pipe(Effect.asVoid)
