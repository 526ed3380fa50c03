import { assert } from "@effect/vitest"
import { ChatAccount, ChatAccounts, ChatNumbers, TemplateFetches, transact } from "@parley/domain"
import { DateTime, Effect, Exit } from "effect"
import { runContract, type StorageContract } from "../contract.ts"
import { givenOrganization, inside } from "../given.ts"
import { all, evening, givenAccount, newAccount, plainAccount, sealed } from "./given.ts"

const insert = (account: ChatAccount) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.insert(account, sealed(account.id))))

const save = (account: ChatAccount, expected: number | null) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.save(account, null, expected)))

const remove = (account: ChatAccount, expected: number | null) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.remove(account.id, expected)))

const every = Effect.flatMap(ChatAccounts, (accounts) => accounts.list(all))

export const chatAccounts: StorageContract = {
  port: "ChatAccounts",
  promises: (it) => {
    it.effect("keeps one tenant's numbers and their secrets out of another's sight and reach", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const account = yield* givenAccount().pipe(inside(one))
        yield* Effect.gen(function* () {
          assert.strictEqual((yield* Effect.flip(accounts.get(account.id)))._tag, "NotFound")
          assert.lengthOf(yield* accounts.find([account.id]), 0)
          assert.lengthOf(yield* accounts.findByNumber([account.externalPhoneId]), 0)
          assert.lengthOf(yield* accounts.findByBusiness([account.externalAccountId]), 0)
          assert.lengthOf(yield* accounts.secrets([account.id]), 0)
          assert.lengthOf(yield* accounts.ownAppSecrets(), 0)
          assert.lengthOf(yield* every, 0)
          assert.strictEqual(yield* accounts.count(), 0)
          for (const expected of [1, null]) {
            assert.strictEqual((yield* Effect.flip(save(account, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(remove(account, expected)))._tag, "NotFound")
          }
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* every.pipe(inside(one))).map(plainAccount), [plainAccount(account)])
      })
    )

    it.effect("keeps every field, and the secrets apart", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        yield* Effect.gen(function* () {
          const full = yield* givenAccount()
          const bare = yield* givenAccount({
            phone: null,
            messagingLimit: null,
            throughputPerSecond: null,
            lastCheckedAt: null,
            lastError: null
          })
          for (const account of [full, bare]) {
            assert.deepStrictEqual(plainAccount(yield* accounts.get(account.id)), plainAccount(account))
            const [secrets] = yield* accounts.secrets([account.id])
            assert.deepStrictEqual(secrets, { id: account.id, ...sealed(account.id) })
          }
          assert.deepStrictEqual((yield* accounts.findByNumber([full.externalPhoneId])).map(plainAccount), [
            plainAccount(full)
          ])
          assert.deepStrictEqual((yield* accounts.findByBusiness([bare.externalAccountId])).map(plainAccount), [
            plainAccount(bare)
          ])
          assert.strictEqual(yield* accounts.count(), 2)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("replaces the secrets only when there are new ones", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        yield* Effect.gen(function* () {
          const account = yield* givenAccount()
          const changed = new ChatAccount({ ...account, displayName: "Other", status: "degraded", updatedAt: evening })
          const saved = yield* save(changed, 1)
          assert.deepStrictEqual(plainAccount(saved), { ...plainAccount(changed), version: 2 })
          assert.deepStrictEqual(yield* accounts.secrets([account.id]), [{ id: account.id, ...sealed(account.id) }])
          const former = { sealed: "former", until: evening }
          const secrets = { ...sealed("new"), formerAppSecret: former }
          yield* transact(accounts.save(changed, secrets, 2))
          const [kept] = yield* accounts.secrets([account.id])
          assert.deepStrictEqual({ ...kept }, { id: account.id, ...secrets })
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("connects a number once in an organization, and through the platform app once at all", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const own = yield* givenAccount().pipe(inside(one))
        const again = yield* Effect.flip(insert(newAccount({ externalPhoneId: own.externalPhoneId })).pipe(inside(one)))
        assert.strictEqual(again._tag === "ChatAccountExists" ? again.chatAccountId : again._tag, own.id)
        // Another organization may have an app of its own for it.
        yield* givenAccount({ externalPhoneId: own.externalPhoneId }).pipe(inside(other))
        const platform = yield* givenAccount({ mode: "platform_app" }).pipe(inside(one))
        const taken = newAccount({ mode: "platform_app", externalPhoneId: platform.externalPhoneId })
        assert.strictEqual((yield* Effect.flip(insert(taken).pipe(inside(other))))._tag, "NumberTaken")
        yield* remove(platform, null).pipe(inside(one))
        yield* insert(taken).pipe(inside(other))
      })
    )

    it.effect("gives a number of the platform app to one of those who connect it at once", () =>
      Effect.gen(function* () {
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 6)
        const externalPhoneId = newAccount().externalPhoneId
        const exits = yield* Effect.forEach(
          organizations,
          (organization) =>
            Effect.exit(insert(newAccount({ mode: "platform_app", externalPhoneId })).pipe(inside(organization))),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(exits.filter(Exit.isSuccess), 1)
      })
    )

    it.effect("knows whose the numbers of the platform app are, and of no other app", () =>
      Effect.gen(function* () {
        const numbers = yield* ChatNumbers
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const mine = yield* givenAccount({ mode: "platform_app" }).pipe(inside(one))
        const theirs = yield* givenAccount({ mode: "platform_app" }).pipe(inside(other))
        const own = yield* givenAccount().pipe(inside(other))
        const asked = [
          { businessId: mine.externalAccountId, phoneId: mine.externalPhoneId },
          { businessId: theirs.externalAccountId, phoneId: null },
          { businessId: own.externalAccountId, phoneId: own.externalPhoneId },
          { businessId: "nobody", phoneId: "nobody" }
        ]
        const owners = yield* numbers.ownersOf(asked)
        assert.deepStrictEqual(
          owners.map(({ organizationId, phoneId }) => [organizationId, phoneId]).toSorted(),
          [
            [one.id, mine.externalPhoneId],
            [other.id, theirs.externalPhoneId]
          ].toSorted()
        )
        assert.lengthOf(yield* numbers.ownersOf([]), 0)
      })
    )

    it.effect("gives the secrets of the organization's own apps only", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        yield* Effect.gen(function* () {
          const own = yield* givenAccount()
          yield* givenAccount({ mode: "platform_app" })
          assert.deepStrictEqual(
            (yield* accounts.ownAppSecrets()).map(({ id }) => id),
            [own.id]
          )
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lists the newest first, page by page, and refuses a version that is not the current one", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        yield* Effect.gen(function* () {
          const made = yield* Effect.replicateEffect(givenAccount(), 5)
          const ids = made
            .map(({ id }) => id)
            .toSorted()
            .toReversed()
          const first = yield* accounts.list({ limit: 2, after: null })
          const rest = yield* accounts.list({ limit: 5, after: [first.at(-1)?.id ?? ""] })
          assert.deepStrictEqual(
            [...first, ...rest].map(({ id }) => id),
            ids
          )
          const [account] = made
          if (account === undefined) return assert.fail("none was made")
          assert.strictEqual((yield* Effect.flip(save(account, 2)))._tag, "VersionConflict")
          assert.strictEqual((yield* Effect.flip(remove(account, 2)))._tag, "VersionConflict")
          yield* remove(account, 1)
          assert.strictEqual((yield* Effect.flip(accounts.get(account.id)))._tag, "NotFound")
          assert.lengthOf(yield* accounts.secrets([account.id]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("has its templates fetched by one at a time, and once more if that is wanted meanwhile", () =>
      Effect.gen(function* () {
        const fetches = yield* TemplateFetches
        const organization = yield* givenOrganization()
        const account = yield* givenAccount().pipe(inside(organization))
        // Long before anything else that waits: what is claimed here is its own.
        const at = (seconds: number) => DateTime.add(DateTime.makeUnsafe("2001-01-01T00:00:00Z"), { seconds })
        const want = (seconds: number) =>
          transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.wantTemplates([account.id], at(seconds)))).pipe(
            inside(organization)
          )
        const claim = (fetcher: string, now: number, until: number) =>
          fetches.claim({ fetcher, now: at(now), until: at(until) })
        yield* want(10)
        yield* want(20)
        assert.isNull(yield* claim("early", 9, 60))
        const first = yield* claim("first", 10, 60)
        assert.deepStrictEqual(first, {
          organizationId: organization.id,
          chatAccountId: account.id,
          fetcher: "first"
        })
        assert.isNull(yield* claim("second", 59, 90))
        const second = yield* claim("second", 60, 90)
        if (first === null || second === null) return assert.fail("nothing was claimed")
        yield* fetches.settle(first)
        yield* want(70)
        yield* fetches.settle(second)
        assert.isNull(yield* claim("third", 69, 99))
        const third = (yield* claim("third", 70, 99)) ?? assert.fail("what was wanted meanwhile is lost")
        yield* fetches.settle(third)
        assert.isNull(yield* claim("fourth", 999, 1_000))
      })
    )
  }
}

/** What `ChatAccounts`, `ChatNumbers` and `TemplateFetches` promise. */
export const chatAccountsContract = runContract(chatAccounts)
