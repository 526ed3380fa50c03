import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Lane, type LaneLease, shardOf } from "@parley/domain/platform"
import { ChatAccount, ChatAccounts, ChatNumbers, TemplateSyncs, templateSyncTaskName } from "@parley/domain/messaging"
import { Effect, Exit } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { givenOrganization, inside, outside } from "../../given.ts"
import { at, currentId, dueOf, givenOwner, takeOver } from "../../platform/background/given.ts"
import {
  all,
  evening,
  givenAccount,
  morning,
  newAccount,
  plainAccount,
  removeAccount,
  reviveAccount,
  sealed
} from "./given.ts"

const insert = (account: ChatAccount) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.insert(account, sealed(account.id))))

const save = (account: ChatAccount, expected: number | null) =>
  Effect.flatMap(ChatAccounts, (accounts) => transact(accounts.save(account, null, expected)))

const removed = Effect.flatMap(ChatAccounts, (accounts) => accounts.removed())

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
          assert.lengthOf(yield* accounts.findByNumber("whatsapp", [account.externalPhoneId]), 0)
          assert.lengthOf(yield* accounts.findByBusiness("whatsapp", [account.externalAccountId]), 0)
          assert.lengthOf(yield* accounts.secrets([account.id]), 0)
          assert.lengthOf(yield* accounts.ownAppSecrets(), 0)
          assert.lengthOf(yield* every, 0)
          assert.strictEqual(yield* accounts.count(), 0)
          for (const expected of [1, null]) {
            assert.strictEqual((yield* Effect.flip(save(account, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(removeAccount(account, expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(reviveAccount(account)))._tag, "NotFound")
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* every.pipe(inside(one))).map(plainAccount), [plainAccount(account)])
        yield* removeAccount(account).pipe(inside(one))
        assert.lengthOf(yield* removed.pipe(inside(other)), 0)
        assert.strictEqual((yield* Effect.flip(reviveAccount(account).pipe(inside(other))))._tag, "NotFound")
        assert.lengthOf(yield* removed.pipe(inside(one)), 1)
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
            lastError: null,
            restrictions: [
              { type: 'RESTRICTED "A"', scopes: ["business_initiated_messages", "unknown"], expiresAt: evening },
              { type: "RESTRICTED_B", scopes: [], expiresAt: null }
            ]
          })
          for (const account of [full, bare]) {
            assert.deepStrictEqual(plainAccount(yield* accounts.get(account.id)), plainAccount(account))
            const [secrets] = yield* accounts.secrets([account.id])
            assert.deepStrictEqual(secrets, { id: account.id, provider: "whatsapp", ...sealed(account.id) })
          }
          assert.deepStrictEqual((yield* accounts.findByNumber("whatsapp", [full.externalPhoneId])).map(plainAccount), [
            plainAccount(full)
          ])
          assert.deepStrictEqual(
            (yield* accounts.findByBusiness("whatsapp", [bare.externalAccountId])).map(plainAccount),
            [plainAccount(bare)]
          )
          const payer = full.messagingAccountId ?? ""
          assert.deepStrictEqual((yield* accounts.findByBusiness("whatsapp", [payer])).map(plainAccount), [
            plainAccount(full)
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
          const changed = new ChatAccount({
            ...account,
            displayName: "Other",
            messagingAccountId: `payer-${account.id}`,
            status: "degraded",
            updatedAt: evening
          })
          const saved = yield* save(changed, 1)
          assert.deepStrictEqual(plainAccount(saved), { ...plainAccount(changed), version: 2 })
          assert.deepStrictEqual(yield* accounts.secrets([account.id]), [
            { id: account.id, provider: "whatsapp", ...sealed(account.id) }
          ])
          const former = { sealed: "former", until: evening }
          const secrets = { ...sealed("new"), formerAppSecret: former }
          yield* transact(accounts.save(changed, secrets, 2))
          const [kept] = yield* accounts.secrets([account.id])
          assert.deepStrictEqual({ ...kept }, { id: account.id, provider: "whatsapp", ...secrets })
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("connects a number once in an organization, and through the platform app once at all", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const own = yield* givenAccount().pipe(inside(one))
        const again = yield* Effect.flip(insert(newAccount({ externalPhoneId: own.externalPhoneId })).pipe(inside(one)))
        assert.strictEqual(again._tag === "ChatAccountExists" ? again.chatAccountId : again._tag, own.id)
        // Another organization can have its own app for the same number.
        yield* givenAccount({ externalPhoneId: own.externalPhoneId }).pipe(inside(other))
        const platform = yield* givenAccount({ mode: "platform_app" }).pipe(inside(one))
        const taken = newAccount({ mode: "platform_app", externalPhoneId: platform.externalPhoneId })
        assert.strictEqual((yield* Effect.flip(insert(taken).pipe(inside(other))))._tag, "NumberConnectedElsewhere")
        yield* removeAccount(platform).pipe(inside(one))
        yield* insert(taken).pipe(inside(other))
        assert.strictEqual(
          (yield* Effect.flip(reviveAccount(platform).pipe(inside(one))))._tag,
          "NumberConnectedElsewhere"
        )
        assert.lengthOf(yield* every.pipe(inside(one)), 1)
        yield* reviveAccount(new ChatAccount({ ...platform, mode: "own_app" })).pipe(inside(one))
      })
    )

    it.effect("finds nothing of an account that was removed, and keeps none of its secrets", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const numbers = yield* ChatNumbers
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const [gone, left] = [yield* givenAccount({ mode: "platform_app" }), yield* givenAccount()]
          yield* removeAccount(gone, 1)
          assert.strictEqual((yield* Effect.flip(accounts.get(gone.id)))._tag, "NotFound")
          const found = [
            yield* accounts.find([gone.id, left.id]),
            yield* accounts.findByNumber("whatsapp", [gone.externalPhoneId, left.externalPhoneId]),
            yield* accounts.findByBusiness("whatsapp", [gone.externalAccountId, left.externalAccountId]),
            yield* accounts.secrets([gone.id, left.id]),
            yield* every
          ]
          for (const each of found) {
            assert.deepStrictEqual(
              each.map(({ id }) => id),
              [left.id]
            )
          }
          assert.strictEqual(yield* accounts.count(), 1)
          const asked = { businessId: gone.externalAccountId, phoneId: gone.externalPhoneId }
          assert.lengthOf(yield* outside(numbers.ownersOf("whatsapp", [asked, { ...asked, phoneId: null }])), 0)
          for (const expected of [1, 2, null]) {
            assert.strictEqual((yield* Effect.flip(save(gone, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(removeAccount(gone, expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(reviveAccount(left)))._tag, "NotFound")
          assert.deepStrictEqual(
            (yield* removed).map(({ account, removedAt }) => [plainAccount(account), removedAt]),
            [[{ ...plainAccount(gone), version: 2 }, morning]]
          )
          const again = yield* Effect.flip(insert(newAccount({ externalPhoneId: gone.externalPhoneId })))
          assert.strictEqual(again._tag, "ChatAccountExists")
        }).pipe(inside(organization))
      })
    )

    it.effect("revives an account under its id, with everything that is said of it now", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const numbers = yield* ChatNumbers
        const organization = yield* givenOrganization()
        yield* Effect.gen(function* () {
          const before = yield* givenAccount()
          yield* removeAccount(before)
          const after = newAccount({
            ...before,
            mode: "platform_app",
            displayName: "Other",
            phone: "+4930654321",
            externalAccountId: `other-${before.id}`,
            externalPhoneId: `moved-${before.id}`,
            status: "degraded",
            qualityRating: "red",
            messagingLimit: null,
            throughputPerSecond: null,
            lastCheckedAt: evening,
            lastError: null,
            updatedAt: evening,
            version: 7
          })
          yield* reviveAccount(after)
          assert.deepStrictEqual(plainAccount(yield* accounts.get(before.id)), plainAccount(after))
          assert.deepStrictEqual(yield* accounts.secrets([before.id]), [
            { id: before.id, provider: "whatsapp", ...sealed("new") }
          ])
          assert.deepStrictEqual([yield* accounts.count(), yield* removed], [1, []])
          const owners = yield* outside(
            numbers.ownersOf("whatsapp", [{ businessId: "", phoneId: after.externalPhoneId }])
          )
          assert.deepStrictEqual(
            owners.map(({ organizationId }) => organizationId),
            [organization.id]
          )
          assert.strictEqual((yield* Effect.flip(reviveAccount(after)))._tag, "NotFound")
        }).pipe(inside(organization))
      })
    )

    it.effect("gives a number of the platform app to the first of several concurrent revivals and connections", () =>
      Effect.gen(function* () {
        const organizations = yield* Effect.replicateEffect(givenOrganization(), 6)
        const { externalPhoneId } = newAccount()
        const former = yield* Effect.forEach(organizations, (organization) =>
          givenAccount({ externalPhoneId }).pipe(
            Effect.tap((account) => removeAccount(account)),
            inside(organization)
          )
        )
        const newcomers = yield* Effect.replicateEffect(givenOrganization(), 6)
        const answers = yield* Effect.all(
          [
            ...former.map((account, index) =>
              reviveAccount(new ChatAccount({ ...account, mode: "platform_app" })).pipe(
                inside(organizations[index] ?? assert.fail()),
                Effect.match({ onSuccess: () => "connected", onFailure: ({ _tag }) => _tag })
              )
            ),
            ...newcomers.map((organization) =>
              insert(newAccount({ mode: "platform_app", externalPhoneId })).pipe(
                inside(organization),
                Effect.match({ onSuccess: () => "connected", onFailure: ({ _tag }) => _tag })
              )
            )
          ],
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(answers.toSorted(), [
          ...Array.from({ length: 11 }, () => "NumberConnectedElsewhere"),
          "connected"
        ])
        const owners = yield* Effect.flatMap(ChatNumbers, (numbers) =>
          numbers.ownersOf("whatsapp", [{ businessId: "", phoneId: externalPhoneId }])
        )
        assert.lengthOf(owners, 1)
      })
    )

    it.effect("gives a number of the platform app to the first of several concurrent connections", () =>
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
        const owners = yield* numbers.ownersOf("whatsapp", asked)
        assert.deepStrictEqual(
          owners.map(({ organizationId, phoneId }) => [organizationId, phoneId]).toSorted(),
          [
            [one.id, mine.externalPhoneId],
            [other.id, theirs.externalPhoneId]
          ].toSorted()
        )
        assert.lengthOf(yield* numbers.ownersOf("whatsapp", []), 0)
        const payer = mine.messagingAccountId ?? ""
        const paid = yield* numbers.ownersOf("whatsapp", [{ businessId: payer, phoneId: null }])
        assert.deepStrictEqual(paid, [{ organizationId: one.id, businessId: payer, phoneId: mine.externalPhoneId }])
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
          assert.strictEqual((yield* Effect.flip(removeAccount(account, 2)))._tag, "VersionConflict")
          yield* removeAccount(account, 1)
          assert.strictEqual((yield* Effect.flip(accounts.get(account.id)))._tag, "NotFound")
          assert.lengthOf(yield* accounts.secrets([account.id]), 0)
        }).pipe(inside(yield* givenOrganization()))
      })
    )

    it.effect("lets one worker fetch templates, and repeats the fetch if requested in between", () =>
      inNewOrganization(
        Effect.gen(function* () {
          const fetches = yield* TemplateSyncs
          const [account, other] = [yield* givenAccount(), yield* givenAccount()]
          const want = (seconds: number) =>
            transact(Effect.flatMap(ChatAccounts, (accounts) => accounts.wantTemplates([account.id], at(seconds))))
          const former = yield* givenOwner(templateSyncTaskName)
          const lanes = Effect.flatMap(currentId, (organizationId) =>
            Effect.map(dueOf(former, 10_000), (found) => found.filter((lane) => lane.organizationId === organizationId))
          )
          const laneOf = ({ owned }: typeof former, lane: Lane): LaneLease => ({
            ...lane,
            ...(owned.find(({ shard }) => shard === shardOf(lane)) ?? assert.fail())
          })
          assert.deepStrictEqual(yield* lanes, [])
          yield* want(20)
          yield* want(10)
          yield* want(30)
          const [lane = assert.fail("no lane was opened"), ...more] = yield* lanes
          assert.deepStrictEqual([lane.key, lane.dueAt, more], [account.id, at(10), []])
          const begin = (owner: typeof former, now: number, again: number) =>
            fetches.begin(laneOf(owner, lane), { now: at(now), again: at(again) })
          const mustBegin = Effect.fnUntraced(function* (owner: typeof former, now: number, again: number) {
            return (yield* begin(owner, now, again)) ?? assert.fail("nothing has begun")
          })
          const due = fetches.nextDue(account.id)
          assert.deepStrictEqual([yield* due, yield* fetches.nextDue(other.id)], [at(10), null])
          assert.isNull(yield* begin(former, 9, 60))
          const first = yield* mustBegin(former, 10, 60)
          assert.isNull(yield* begin(former, 59, 90))
          assert.deepStrictEqual(yield* due, at(60))
          const second = yield* mustBegin(former, 60, 90)
          yield* fetches.settle(first)
          assert.deepStrictEqual(yield* due, at(90))
          yield* want(70)
          yield* fetches.settle(second)
          assert.deepStrictEqual(yield* due, at(70))
          const third = yield* mustBegin(former, 70, 99)
          const latter = yield* takeOver(templateSyncTaskName, former.id)
          yield* fetches.settle(third)
          assert.isNull(yield* begin(former, 99, 200))
          yield* fetches.settle(yield* mustBegin(latter, 99, 200))
          assert.isNull(yield* due)
          yield* want(1_000)
          yield* removeAccount(account)
          assert.isNull(yield* due)
          assert.isNull(yield* begin(latter, 1_000, 1_001))
        })
      )
    )
  }
}

/** Contract of `ChatAccounts`, `ChatNumbers` and `TemplateSyncs`. */
export const chatAccountsContract = runContract(chatAccounts)
