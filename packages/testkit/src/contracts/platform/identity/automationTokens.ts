import { assert } from "@effect/vitest"
import { AutomationTokenId, transact } from "@parley/domain/kernel"
import { AutomationTokens, Members, Users } from "@parley/domain/platform"
import { DateTime, Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import {
  after,
  freshId,
  givenMember,
  givenOrganization,
  inside,
  newAutomationToken,
  plain,
  present
} from "../../given.ts"

const given = Effect.gen(function* () {
  const now = yield* present
  const tokens = yield* AutomationTokens
  const organization = yield* givenOrganization()
  const { member, user } = yield* givenMember(organization, "owner")
  const issue = Effect.gen(function* () {
    const token = newAutomationToken(user, now)
    yield* tokens.insert(token).pipe(transact, inside(organization))
    return token
  })
  const listed = tokens.list({ limit: 100, after: null }).pipe(inside(organization))
  const list = Effect.map(listed, (rows) => rows.map(({ token }) => token))
  return { issue, list, listed, member, now, organization, tokens, user }
})

const iso = (at: DateTime.Utc | null | undefined) => (at ? DateTime.formatIso(at) : null)

export const automationTokens: StorageContract = {
  port: "AutomationTokens",
  promises: (it) => {
    it.effect("keeps one tenant's tokens out of another's sight", () =>
      Effect.gen(function* () {
        const { issue, list, now, tokens } = yield* given
        const other = yield* givenOrganization()
        const token = yield* issue
        yield* Effect.gen(function* () {
          assert.lengthOf(yield* tokens.list({ limit: 100, after: null }), 0)
          assert.strictEqual((yield* Effect.flip(transact(tokens.revoke(token.id, now))))._tag, "NotFound")
          yield* tokens.touch(token.id, now)
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(token)])
      })
    )

    it.effect("finds a token with its responsible person, in its organization only", () =>
      Effect.gen(function* () {
        const { issue, organization, tokens } = yield* given
        const token = yield* issue
        const found = yield* tokens.find(token.id).pipe(inside(organization))
        const [listed] = yield* tokens.list({ limit: 1, after: null }).pipe(inside(organization))
        assert.deepStrictEqual(found?.responsible, listed?.responsible)
        assert.deepStrictEqual(found === null ? null : plain.automationToken(found.token), plain.automationToken(token))
        assert.isNull(yield* tokens.find(freshId(AutomationTokenId)).pipe(inside(organization)))
        assert.isNull(yield* tokens.find(token.id).pipe(inside(yield* givenOrganization())))
      })
    )

    it.effect("keeps every field", () =>
      Effect.gen(function* () {
        const { list, now, organization, tokens, user } = yield* given
        const token = newAutomationToken(user, now, {
          permissions: ["tokens.manage", "audit.read", "organization.read"],
          expiresAt: after(now, "366 days"),
          lastUsedAt: after(now, "1 milli"),
          revokedAt: after(now, "2 millis")
        })
        yield* tokens.insert(token).pipe(transact, inside(organization))
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(token)])
      })
    )

    it.effect("a failed unit of work leaves nothing", () =>
      Effect.gen(function* () {
        const { issue, list, now, organization, tokens, user } = yield* given
        const token = yield* issue
        yield* tokens
          .insert(newAutomationToken(user, now))
          .pipe(
            Effect.andThen(tokens.revoke(token.id, now)),
            Effect.andThen(Effect.fail("refused")),
            transact,
            Effect.flip,
            inside(organization)
          )
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(token)])
      })
    )

    it.effect("revokes a token, and keeps the first time when it is revoked again", () =>
      Effect.gen(function* () {
        const { issue, list, now, organization, tokens } = yield* given
        const token = yield* issue
        const other = yield* issue
        const revoked = { ...plain.automationToken(token), revokedAt: iso(now) }
        yield* Effect.gen(function* () {
          const first = yield* transact(tokens.revoke(token.id, now))
          const again = yield* transact(tokens.revoke(token.id, after(now, "1 hour")))
          assert.deepStrictEqual([first, again].map(plain.automationToken), [revoked, revoked])
          const error = yield* Effect.flip(transact(tokens.revoke(freshId(AutomationTokenId), now)))
          assert.strictEqual(error._tag, "NotFound")
        }).pipe(inside(organization))
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(other), revoked])
      })
    )

    it.effect("makes another person answer for a token, once it is taken", () =>
      Effect.gen(function* () {
        const { issue, list, now, organization, tokens } = yield* given
        const { user } = yield* givenMember(organization, "owner")
        const [token, other] = [yield* issue, yield* issue]
        const adopted = { ...plain.automationToken(token), responsibleUserId: user.id, adoptedAt: iso(now) }
        yield* Effect.gen(function* () {
          const [before, after] = yield* transact(
            Effect.all([tokens.lock(token.id), tokens.adopt(token.id, user.id, now)])
          )
          assert.deepStrictEqual([before, after].map(plain.automationToken), [plain.automationToken(token), adopted])
        }).pipe(inside(organization))
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(other), adopted])
      })
    )

    it.effect("neither locks nor transfers unknown tokens and tokens of another tenant", () =>
      Effect.gen(function* () {
        const { issue, list, now, organization, tokens, user } = yield* given
        const token = yield* issue
        const other = yield* givenOrganization()
        for (const [id, place] of [
          [token.id, other],
          [freshId(AutomationTokenId), organization]
        ] as const) {
          yield* Effect.gen(function* () {
            assert.strictEqual((yield* Effect.flip(transact(tokens.lock(id))))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(transact(tokens.adopt(id, user.id, now))))._tag, "NotFound")
          }).pipe(inside(place))
        }
        assert.deepStrictEqual((yield* list).map(plain.automationToken), [plain.automationToken(token)])
      })
    )

    it.effect("says how the person stands who answers for a token", () =>
      Effect.gen(function* () {
        const { issue, listed, member, organization, user } = yield* given
        const [members, users] = [yield* Members, yield* Users]
        yield* issue
        const stands = Effect.map(listed, (rows) => rows.map(({ responsible: { role, status } }) => [status, role]))
        assert.deepStrictEqual(yield* stands, [["active", "owner"]])
        yield* members.setRole(member.id, "agent", null).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, [["active", "agent"]])
        yield* transact(users.setStatus(user.id, "disabled"))
        assert.deepStrictEqual(yield* stands, [["disabled", "agent"]])
        yield* members.remove(member.id).pipe(transact, inside(organization))
        assert.deepStrictEqual(yield* stands, [["disabled", null]])
      })
    )

    it.effect("notes when a token was used, to the minute at least", () =>
      Effect.gen(function* () {
        const { issue, list, now, organization, tokens } = yield* given
        const token = yield* issue
        const other = yield* issue
        const touch = (at: DateTime.Utc) => tokens.touch(token.id, at).pipe(inside(organization))
        const lastUse = Effect.map(list, (all) => iso(all.find(({ id }) => id === token.id)?.lastUsedAt))
        assert.isNull(yield* lastUse)
        yield* touch(now)
        assert.strictEqual(yield* lastUse, iso(now))
        yield* touch(after(now, "30 seconds"))
        assert.include([iso(now), iso(after(now, "30 seconds"))], yield* lastUse)
        yield* touch(after(now, "2 minutes"))
        assert.strictEqual(yield* lastUse, iso(after(now, "2 minutes")))
        assert.isNull(iso((yield* list).find(({ id }) => id === other.id)?.lastUsedAt))
        yield* tokens.touch(freshId(AutomationTokenId), now).pipe(inside(organization))
        assert.lengthOf(yield* list, 2)
      })
    )

    it.effect("lists the newest first, page after page, while others come", () =>
      Effect.gen(function* () {
        const { issue, organization, tokens } = yield* given
        const issued = yield* Effect.replicateEffect(issue, 5)
        const [first, second, third, fourth, fifth] = issued.map(({ id }) => id)
        const page = (after: string | null) =>
          tokens.list({ limit: 2, after: after === null ? null : [after] }).pipe(
            Effect.map((page) => page.map(({ token }) => token.id)),
            inside(organization)
          )
        assert.deepStrictEqual(yield* page(null), [fifth, fourth])
        yield* issue
        assert.deepStrictEqual(yield* page(fourth ?? ""), [third, second])
        assert.deepStrictEqual(yield* page(second ?? ""), [first])
      })
    )
  }
}

export const automationTokensContract = runContract(automationTokens)
