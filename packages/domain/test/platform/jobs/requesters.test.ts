import { assert, describe, it } from "@effect/vitest"
import { type Actor, CurrentActor, type CurrentOrganization, type Permission, transact } from "@parley/domain/kernel"
import {
  changeMemberRole,
  getJob,
  issueAutomationToken,
  type JobErrorCode,
  logout,
  type Organization,
  removeMember,
  revokeAutomationToken,
  setUserStatus,
  startJob
} from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import {
  actingIn,
  actorOf,
  asOperator,
  asOperatorOf,
  asPerson,
  givenMember,
  givenOrganization,
  putPlugin,
  TestKit
} from "@parley/testkit"
import { DateTime, Effect } from "effect"
import { TestClock } from "effect/testing"
import { countingJob, rowsOf, work } from "./countingJob.ts"

const test = <A, E>(name: string, body: () => Effect.Effect<A, E, Ports>) =>
  it.effect(name, () => Effect.provide(Effect.suspend(body), TestKit.layer, { local: true }))

const needs: ReadonlyArray<Permission> = ["contacts.manage"]

type Change = Effect.Effect<unknown, unknown, Ports | CurrentActor | CurrentOrganization>

/** Runs a job of four rows for the actor, and makes the change in its second step. Returns its end and the written rows. */
const interrupted = Effect.fnUntraced(function* (
  organization: Organization,
  actor: Actor,
  change: Change,
  kindNeeds: ReadonlyArray<Permission> | null = needs
) {
  const context = yield* Effect.context<Ports>()
  const changing = Effect.orDie(change.pipe(asOperatorOf(organization), Effect.provide(context)))
  const kind = countingJob({ needs: kindNeeds, before: (row) => (row === 2 ? Effect.asVoid(changing) : Effect.void) })
  const { id } = yield* transact(startJob(kind, { rows: 4 })).pipe(actingIn(organization, actor))
  yield* TestClock.adjust("1 second")
  yield* work(kind)
  const { errorCode, state } = yield* getJob({ id }).pipe(asOperatorOf(organization))
  const rows = yield* rowsOf(organization)
  return { state, errorCode, rows: rows.map(({ row }) => row) }
})

type Ended = Effect.Success<ReturnType<typeof interrupted>>

const refused = (errorCode: JobErrorCode): Ended => ({ state: "failed", errorCode, rows: [1, 2] })

const finished: Ended = { state: "succeeded", errorCode: null, rows: [1, 2, 3, 4] }

const agent = Effect.fnUntraced(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const person = yield* givenMember(organization, "agent")
  return { organization, person, actor: yield* actorOf(person, organization) }
})

/** A token of an owner that expires in an hour. */
const token = Effect.fnUntraced(function* () {
  const organization = yield* givenOrganization({ plan: "scale" })
  const owner = yield* givenMember(organization, "owner")
  yield* givenMember(organization, "owner")
  const expiresAt = DateTime.add(yield* DateTime.now, { hours: 1 })
  const { automationToken } = yield* issueAutomationToken({
    name: "Job",
    permissions: ["contacts.manage"],
    expiresAt
  }).pipe(asPerson(organization, owner))
  const actor: Actor = {
    kind: "token",
    tokenId: automationToken.id,
    responsibleUserId: owner.user.id,
    permissions: new Set(needs)
  }
  return { organization, owner, actor, id: automationToken.id }
})

describe("a job and its requester", () => {
  test("continues after a logout, because its requester is the person and not the session", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      const leaving = logout().pipe(Effect.provideService(CurrentActor, yield* actorOf(person)))
      assert.deepStrictEqual(yield* interrupted(organization, actor, leaving), finished)
    }))

  test("fails when its member is removed", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      const ended = yield* interrupted(organization, actor, removeMember({ id: person.member.id }))
      assert.deepStrictEqual(ended, refused("requester_inactive"))
    }))

  test("fails when its user is disabled", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      const ended = yield* interrupted(
        organization,
        actor,
        asOperator(setUserStatus({ id: person.user.id, status: "disabled" }))
      )
      assert.deepStrictEqual(ended, refused("requester_inactive"))
    }))

  test("fails when its member gets a role without the permission", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      const ended = yield* interrupted(
        organization,
        actor,
        changeMemberRole({ id: person.member.id, role: "viewer", ifVersion: null })
      )
      assert.deepStrictEqual(ended, refused("permission_lost"))
    }))

  test("gains nothing from a later role of its member", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      const promoted = changeMemberRole({ id: person.member.id, role: "admin", ifVersion: null })
      const ended = yield* interrupted(organization, actor, promoted, ["contacts.erase"])
      assert.deepStrictEqual(ended, { state: "failed", errorCode: "permission_lost", rows: [] })
    }))

  test("continues after its member is removed when it completes a committed change", () =>
    Effect.gen(function* () {
      const { actor, organization, person } = yield* agent()
      assert.deepStrictEqual(
        yield* interrupted(organization, actor, removeMember({ id: person.member.id }), null),
        finished
      )
    }))

  test("fails when its token is revoked", () =>
    Effect.gen(function* () {
      const { actor, id, organization } = yield* token()
      assert.deepStrictEqual(
        yield* interrupted(organization, actor, revokeAutomationToken({ id })),
        refused("requester_inactive")
      )
    }))

  test("fails when its token has expired", () =>
    Effect.gen(function* () {
      const { actor, organization } = yield* token()
      assert.deepStrictEqual(
        yield* interrupted(organization, actor, TestClock.adjust("2 hours")),
        refused("requester_inactive")
      )
    }))

  test("fails when the responsible person of its token loses the permission or leaves", () =>
    Effect.gen(function* () {
      const first = yield* token()
      const demoted = changeMemberRole({ id: first.owner.member.id, role: "viewer", ifVersion: null })
      assert.deepStrictEqual(yield* interrupted(first.organization, first.actor, demoted), refused("permission_lost"))
      const second = yield* token()
      const left = removeMember({ id: second.owner.member.id })
      assert.deepStrictEqual(yield* interrupted(second.organization, second.actor, left), refused("requester_inactive"))
    }))

  test("fails for a disabled plugin", () =>
    Effect.gen(function* () {
      const { actor, organization } = yield* token()
      const plugin = yield* putPlugin(organization, { status: "disabled" })
      const tokenId = actor.kind === "token" ? actor.tokenId : yield* Effect.die(new Error("This is no token."))
      const asPlugin: Actor = { kind: "plugin", pluginId: plugin.id, tokenId, permissions: new Set(needs) }
      const ended = yield* interrupted(organization, asPlugin, Effect.void)
      assert.deepStrictEqual(ended, { state: "failed", errorCode: "requester_inactive", rows: [] })
    }))
})
