import { assert } from "@effect/vitest"
import { UserId } from "@parley/domain/kernel"
import { ChatAccountId } from "@parley/domain/messaging"
import { AnalyticsLoad, type LiveCount, type MemberLoad } from "@parley/domain/analytics"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { freshId, givenMember, givenOrganization, givenUser, inside } from "../given.ts"
import { givenConversation, minutes } from "../messaging/inbox/given.ts"

const sorted = (loads: ReadonlyArray<MemberLoad>) =>
  loads.map(({ open, userId, waiting }) => [userId ?? "", open, waiting]).toSorted()

export const analyticsLoad: StorageContract = {
  port: "AnalyticsLoad",
  promises: (it) => {
    it.effect("counts unresolved conversations by assignee", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const elsewhere = inside(yield* givenOrganization())
        const ada = freshId(UserId)
        yield* within(
          Effect.gen(function* () {
            yield* givenConversation({ assigneeId: ada })
            yield* givenConversation({ assigneeId: ada, waitingSince: minutes(1) })
            yield* givenConversation({ assigneeId: ada, status: "pending", waitingSince: minutes(2) })
            yield* givenConversation({ assigneeId: ada, status: "resolved" })
            yield* givenConversation({ status: "snoozed" })
            yield* givenConversation()
          })
        )
        const load = yield* AnalyticsLoad
        assert.deepStrictEqual(sorted(yield* within(load.byAssignee())), [
          ["", 1, 0],
          [ada, 2, 2]
        ])
        assert.isEmpty(yield* elsewhere(load.byAssignee()))
      })
    )

    it.effect("counts how long contacts have waited by now, over an account or over all", () =>
      Effect.gen(function* () {
        const within = inside(yield* givenOrganization())
        const chatAccountId = freshId(ChatAccountId)
        yield* within(
          Effect.gen(function* () {
            yield* givenConversation({ chatAccountId, waitingSince: minutes(55) })
            yield* givenConversation({ chatAccountId, waitingSince: minutes(50) })
            yield* givenConversation({ status: "pending", assigneeId: freshId(UserId), waitingSince: minutes(-6_000) })
            yield* givenConversation({ status: "snoozed" })
            yield* givenConversation({ chatAccountId, status: "resolved" })
          })
        )
        const load = yield* AnalyticsLoad
        const shown = (counts: ReadonlyArray<LiveCount>) =>
          counts
            .map(({ count, isAssigned, oldest, status, step }) =>
              [status, isAssigned, step, count, oldest && DateTime.formatIso(oldest)].join(" ")
            )
            .toSorted()
        const iso = (count: number) => DateTime.formatIso(minutes(count))
        assert.deepStrictEqual(shown(yield* within(load.live(null, minutes(60)))), [
          `open false 0 1 ${iso(55)}`,
          `open false 1 1 ${iso(50)}`,
          `pending true 5 1 ${iso(-6_000)}`,
          "snoozed false  1 "
        ])
        assert.deepStrictEqual(shown(yield* within(load.live(chatAccountId, minutes(54)))), [
          `open false 0 2 ${iso(50)}`
        ])
      })
    )

    it.effect("identifies users, also former members and members of another organization", () =>
      Effect.gen(function* () {
        const organization = yield* givenOrganization()
        const other = yield* givenOrganization()
        const ada = yield* givenMember(organization, "agent", yield* givenUser({ name: "Ada" }))
        const bob = yield* givenMember(organization, "agent", yield* givenUser({ name: "Bob", status: "disabled" }))
        const eve = yield* givenMember(other, "agent", yield* givenUser({ name: "Eve" }))
        const load = yield* AnalyticsLoad
        const ids = [ada, bob, eve].map(({ user }) => user.id)
        const found = yield* inside(organization)(load.colleagues([...ids, freshId(UserId)]))
        assert.deepStrictEqual(found.map(({ name, status }) => `${name} ${status}`).toSorted(), [
          "Ada active",
          "Bob disabled",
          "Eve former"
        ])
        assert.isEmpty(yield* inside(organization)(load.colleagues([])))
      })
    )
  }
}

export const analyticsLoadContract = runContract(analyticsLoad)
