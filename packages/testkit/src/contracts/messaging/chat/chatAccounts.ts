import { assert } from "@effect/vitest"
import { transact } from "@parley/domain/kernel"
import { type Lane, type LaneLease, shardOf } from "@parley/domain/platform"
import { ChatAccount, ChatAccounts, TemplateSyncs, templateSyncTaskName } from "@parley/domain/messaging"
import { Effect } from "effect"
import { runContract, type StorageContract } from "../../contract.ts"
import { inNewOrganization } from "../../crm/given.ts"
import { givenOrganization, inside } from "../../given.ts"
import { at, currentId, dueOf, givenOwner, takeOver } from "../../platform/background/given.ts"
import {
  evening,
  givenAccount,
  newAccount,
  plainAccount,
  removeAccount,
  reviveAccount,
  sealed,
  insertAccount,
  saveAccount,
  removedAccounts,
  everyAccount
} from "./given.ts"

export const chatAccounts: StorageContract = {
  port: "ChatAccounts",
  promises: (it) => {
    it.effect("hides the numbers and secrets of one tenant from another", () =>
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
          assert.lengthOf(yield* everyAccount, 0)
          assert.strictEqual(yield* accounts.count(), 0)
          for (const expected of [1, null]) {
            assert.strictEqual((yield* Effect.flip(saveAccount(account, expected)))._tag, "NotFound")
            assert.strictEqual((yield* Effect.flip(removeAccount(account, expected)))._tag, "NotFound")
          }
          assert.strictEqual((yield* Effect.flip(reviveAccount(account)))._tag, "NotFound")
        }).pipe(inside(other))
        assert.deepStrictEqual((yield* everyAccount.pipe(inside(one))).map(plainAccount), [plainAccount(account)])
        yield* removeAccount(account).pipe(inside(one))
        assert.lengthOf(yield* removedAccounts.pipe(inside(other)), 0)
        assert.strictEqual((yield* Effect.flip(reviveAccount(account).pipe(inside(other))))._tag, "NotFound")
        assert.lengthOf(yield* removedAccounts.pipe(inside(one)), 1)
      })
    )

    it.effect("stores every field, and the secrets separately", () =>
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
          const saved = yield* saveAccount(changed, 1)
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

    it.effect("stores the time of a check without a new version", () =>
      Effect.gen(function* () {
        const accounts = yield* ChatAccounts
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const account = yield* givenAccount().pipe(inside(one))
        const check = transact(accounts.recordCheck(account.id, evening))
        yield* check.pipe(inside(other))
        assert.deepStrictEqual(plainAccount(yield* accounts.get(account.id).pipe(inside(one))), plainAccount(account))
        yield* check.pipe(inside(one))
        const checked = new ChatAccount({ ...account, lastCheckedAt: evening })
        assert.deepStrictEqual(plainAccount(yield* accounts.get(account.id).pipe(inside(one))), plainAccount(checked))
        yield* removeAccount(account, 1).pipe(inside(one))
      })
    )

    it.effect("connects a number once in an organization, and through the platform app once at all", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* givenOrganization(), yield* givenOrganization()]
        const own = yield* givenAccount().pipe(inside(one))
        const again = yield* Effect.flip(
          insertAccount(newAccount({ externalPhoneId: own.externalPhoneId })).pipe(inside(one))
        )
        assert.strictEqual(again._tag === "ChatAccountExists" ? again.chatAccountId : again._tag, own.id)
        // Another organization can have its own app for the same number.
        yield* givenAccount({ externalPhoneId: own.externalPhoneId }).pipe(inside(other))
        const platform = yield* givenAccount({ mode: "platform_app" }).pipe(inside(one))
        const taken = newAccount({ mode: "platform_app", externalPhoneId: platform.externalPhoneId })
        assert.strictEqual(
          (yield* Effect.flip(insertAccount(taken).pipe(inside(other))))._tag,
          "NumberConnectedElsewhere"
        )
        yield* removeAccount(platform).pipe(inside(one))
        yield* insertAccount(taken).pipe(inside(other))
        assert.strictEqual(
          (yield* Effect.flip(reviveAccount(platform).pipe(inside(one))))._tag,
          "NumberConnectedElsewhere"
        )
        assert.lengthOf(yield* everyAccount.pipe(inside(one)), 1)
        yield* reviveAccount(new ChatAccount({ ...platform, mode: "own_app" })).pipe(inside(one))
      })
    )

    it.effect("lists accounts newest first, page by page, and refuses an outdated version", () =>
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
          assert.strictEqual((yield* Effect.flip(saveAccount(account, 2)))._tag, "VersionConflict")
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
