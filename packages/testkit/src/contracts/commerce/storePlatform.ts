import { assert, layer as withLayer } from "@effect/vitest"
import type {
  ExportedPage,
  RecordKind,
  ShopAccess,
  StoreFailure,
  StoreGrant,
  StoreRecords
} from "@parley/domain/commerce"
import { DateTime, Effect, type Layer, Redacted } from "effect"
import { StoreSide } from "./StoreSide.ts"

const kinds: ReadonlyArray<RecordKind> = ["products", "customers", "orders", "carts"]

const redirectUri = "https://parley.test/integrations/storefront/shopify/callback"
const address = "https://parley.test/webhooks/storefront/shopify"

/** Accepts the authorization and exchanges it for a grant. */
const connect = Effect.gen(function* () {
  const { agree, platform, shop } = yield* StoreSide
  const query = yield* agree(platform.authorizeUrl(shop.shopDomain, Redacted.make("a state"), redirectUri))
  const code = platform.readCallback(query)?.code ?? Redacted.make("none")
  const grant = yield* platform.exchange(shop.shopDomain, code)
  return { grant, code, query, access: accessOf(shop.shopDomain, grant) }
})

const accessOf = (shopDomain: string, { accessToken }: StoreGrant): ShopAccess => ({ shopDomain, accessToken })

const byId = <Row extends { readonly externalId: string }>(records: ReadonlyArray<Row>) =>
  [...new Map(records.map((record) => [record.externalId, record])).values()].toSorted((left, right) =>
    left.externalId < right.externalId ? -1 : 1
  )

/** All pages from a checkpoint on; the shop may take its time to make the first. */
const allPages = <Kind extends RecordKind, R>(
  page: (checkpoint: string | null) => Effect.Effect<ExportedPage<Kind>, StoreFailure, R>
) =>
  Effect.gen(function* () {
    const pages: Array<{ readonly from: string | null; readonly page: ExportedPage<Kind> }> = []
    let checkpoint: string | null = null
    for (;;) {
      const next: ExportedPage<Kind> = yield* page(checkpoint)
      pages.push({ from: checkpoint, page: next })
      if (next.checkpoint === null) return pages
      if (next.checkpoint === checkpoint) yield* Effect.sleep("5 millis")
      checkpoint = next.checkpoint
    }
  })

const recordsOf = <Kind extends RecordKind>(
  pages: ReadonlyArray<{ readonly page: ExportedPage<Kind> }>
): ReadonlyArray<StoreRecords[Kind]> => pages.flatMap(({ page }) => page.records)

/** The promises of a platform of stores. Time is real: there may be sockets. */
export const storePlatformContract = <E>(name: string, adapter: Layer.Layer<StoreSide, E>): void =>
  withLayer(adapter, { excludeTestServices: true, timeout: "60 seconds" })(`StorePlatform: ${name}`, (it) => {
    it.effect("reads the signed callback of an authorization", () =>
      Effect.gen(function* () {
        const { agree, platform, shop, signed } = yield* StoreSide
        const query = yield* agree(platform.authorizeUrl(shop.shopDomain, Redacted.make("a state"), redirectUri))
        const callback = yield* Effect.fromNullishOr(platform.readCallback(query))
        assert.strictEqual(callback.shopDomain, shop.shopDomain)
        assert.strictEqual(callback.state, "a state")
        assert.isNotNull(callback.code)
        const now = yield* DateTime.now
        assert.isBelow(Math.abs(DateTime.toEpochMillis(callback.at) - DateTime.toEpochMillis(now)), 90_000)
        for (const parameter of signed) {
          assert.isNull(platform.readCallback({ ...query, [parameter]: `${query[parameter]}0` }), parameter)
          assert.isNull(platform.readCallback({ ...query, [parameter]: undefined }), parameter)
        }
        assert.isNull(platform.readCallback({ ...query, more: "1" }))
        assert.isNull(platform.readCallback({}))
      })
    )

    it.effect("reads a refused authorization", () =>
      Effect.gen(function* () {
        const { deny, platform, shop } = yield* StoreSide
        const query = yield* deny(platform.authorizeUrl(shop.shopDomain, Redacted.make("a state"), redirectUri))
        const callback = platform.readCallback(query)
        assert.strictEqual(callback?.state, "a state")
        assert.isNull(callback?.code)
      })
    )

    it.effect("makes a grant of a code once", () =>
      Effect.gen(function* () {
        const { platform, shop } = yield* StoreSide
        const { code, grant } = yield* connect
        assert.includeMembers([...grant.scopes], [...platform.scopes])
        const error = yield* Effect.flip(platform.exchange(shop.shopDomain, code))
        assert.include(error, { _tag: "StoreRefused", remedy: "give_up" })
      })
    )

    it.effect("ends the grant before with a new one", () =>
      Effect.gen(function* () {
        const { platform } = yield* StoreSide
        const before = yield* connect
        const after = yield* connect
        assert.include(yield* Effect.flip(platform.shop(before.access)), {
          _tag: "StoreRefused",
          remedy: "reauthorize"
        })
        yield* platform.shop(after.access)
      })
    )

    it.effect("refreshes a grant, also after a lost answer, but not with a used token", () =>
      Effect.gen(function* () {
        const { loseRefresh, platform, shop } = yield* StoreSide
        const first = (yield* connect).grant.refreshToken ?? Redacted.make("none")
        yield* loseRefresh
        assert.strictEqual((yield* Effect.flip(platform.refresh(shop.shopDomain, first)))._tag, "StoreUnreachable")
        const second = yield* platform.refresh(shop.shopDomain, first)
        assert.isNotNull(second.expiresAt)
        yield* platform.shop(accessOf(shop.shopDomain, second))
        const third = yield* platform.refresh(shop.shopDomain, second.refreshToken ?? Redacted.make("none"))
        yield* platform.shop(accessOf(shop.shopDomain, third))
        const error = yield* Effect.flip(platform.refresh(shop.shopDomain, first))
        assert.include(error, { _tag: "StoreRefused", remedy: "reauthorize" })
      })
    )

    it.effect("tells what the shop says of itself", () =>
      Effect.gen(function* () {
        const { platform, shop } = yield* StoreSide
        assert.deepStrictEqual(yield* platform.shop((yield* connect).access), shop)
      })
    )

    it.effect("exports everything of a kind", () =>
      Effect.gen(function* () {
        const { expected, platform } = yield* StoreSide
        const { access } = yield* connect
        for (const kind of kinds) {
          const pages = yield* allPages((checkpoint) => platform.export(access, kind, checkpoint, null))
          assert.deepStrictEqual(byId(recordsOf(pages)), byId(yield* expected(kind)), kind)
        }
      })
    )

    it.effect("goes on with an export from any checkpoint as often as it is asked", () =>
      Effect.gen(function* () {
        const { platform } = yield* StoreSide
        const { access } = yield* connect
        const pages = yield* allPages((checkpoint) => platform.export(access, "orders", checkpoint, null))
        for (const { from, page } of pages.filter(({ page }) => page.records.length > 0)) {
          assert.deepStrictEqual((yield* platform.export(access, "orders", from, null)).records, page.records)
        }
      })
    )

    it.effect("leaves older orders out of an export where that is asked for", () =>
      Effect.gen(function* () {
        const { expected, platform } = yield* StoreSide
        const { access } = yield* connect
        const all = [...(yield* expected("orders"))].toSorted(
          (left, right) => DateTime.toEpochMillis(left.placedAt) - DateTime.toEpochMillis(right.placedAt)
        )
        const since = all[Math.floor(all.length / 2)]?.placedAt ?? (yield* DateTime.now)
        const pages = yield* allPages((checkpoint) => platform.export(access, "orders", checkpoint, since))
        const kept = all.filter(({ placedAt }) => DateTime.isGreaterThanOrEqualTo(placedAt, since))
        assert.deepStrictEqual(byId(recordsOf(pages)), byId(kept))
      })
    )

    it.effect("lists changes since a time without gaps", () =>
      Effect.gen(function* () {
        const { change, expected, platform } = yield* StoreSide
        const { access } = yield* connect
        for (const kind of kinds) {
          const since = (yield* expected(kind)).reduce(
            (latest, { updatedAt }) => DateTime.max(latest, updatedAt),
            DateTime.makeUnsafe(0)
          )
          const id = yield* change(kind)
          const kept = (yield* expected(kind)).filter(({ updatedAt }) =>
            DateTime.isGreaterThanOrEqualTo(updatedAt, since)
          )
          const pages = yield* allPages((checkpoint) => platform.changedSince(access, kind, since, checkpoint))
          assert.deepStrictEqual(byId(recordsOf(pages)), byId(kept), kind)
          assert.include(
            recordsOf(pages).map(({ externalId }) => externalId),
            id
          )
        }
        const everything = yield* allPages((checkpoint) =>
          platform.changedSince(access, "orders", DateTime.makeUnsafe(0), checkpoint)
        )
        assert.deepStrictEqual(byId(recordsOf(everything)), byId(yield* expected("orders")))
      })
    )

    it.effect("reads records by id and names deleted ones", () =>
      Effect.gen(function* () {
        const { expected, platform, remove } = yield* StoreSide
        const { access } = yield* connect
        for (const kind of kinds) {
          const removed = yield* remove(kind)
          const kept = byId(yield* expected(kind)).slice(0, 49)
          const found = yield* platform.read(access, kind, [...kept.map(({ externalId }) => externalId), removed])
          assert.deepStrictEqual(byId(found.records), kept, kind)
          assert.deepStrictEqual(found.gone, [removed], kind)
          assert.deepStrictEqual(yield* platform.read(access, kind, []), { records: [], unreadable: [], gone: [] })
        }
      })
    )

    it.effect("reports unreadable records with a reason, and reads all others", () =>
      Effect.gen(function* () {
        const { corrupt, expected, platform, repair } = yield* StoreSide
        const { access } = yield* connect
        assert.isNotEmpty(platform.readerVersion)
        for (const kind of kinds) {
          const broken = yield* corrupt(kind)
          const others = byId((yield* expected(kind)).filter(({ externalId }) => externalId !== broken))
          const exported = yield* allPages((checkpoint) => platform.export(access, kind, checkpoint, null))
          const everything = yield* allPages((checkpoint) =>
            platform.changedSince(access, kind, DateTime.makeUnsafe(0), checkpoint)
          )
          for (const pages of [exported, everything]) {
            assert.deepStrictEqual(byId(recordsOf(pages)), others, kind)
            const unreadable = pages.flatMap(({ page }) => page.unreadable)
            assert.deepStrictEqual([...new Set(unreadable.map(({ externalId }) => externalId))], [broken], kind)
            for (const { reason } of unreadable) assert.isNotEmpty(reason)
          }
          const found = yield* platform.read(access, kind, [broken])
          assert.deepStrictEqual([found.records, found.gone], [[], []], kind)
          assert.strictEqual(found.unreadable[0]?.externalId, broken)
          yield* repair(kind, broken)
          const repaired = yield* platform.read(access, kind, [broken])
          assert.strictEqual(repaired.records[0]?.externalId, broken)
          assert.deepStrictEqual(repaired.unreadable, [])
        }
      })
    )

    it.effect("is not reached when an answer is lost", () =>
      Effect.gen(function* () {
        const { lostNext, platform } = yield* StoreSide
        const { access } = yield* connect
        yield* lostNext
        assert.strictEqual((yield* Effect.flip(platform.shop(access)))._tag, "StoreUnreachable")
        yield* platform.shop(access)
      })
    )

    it.effect("subscribes as often as it is asked, to everything once", () =>
      Effect.gen(function* () {
        const { platform, subscribed } = yield* StoreSide
        const { access } = yield* connect
        yield* platform.subscribe(access, address)
        const once = yield* subscribed
        yield* platform.subscribe(access, address)
        assert.deepStrictEqual(yield* subscribed, once)
        assert.isNotEmpty(once)
      })
    )

    it.effect("knows what the provider has signed, and reads it", () =>
      Effect.gen(function* () {
        const { delivery, platform, shop } = yield* StoreSide
        const { access } = yield* connect
        yield* platform.subscribe(access, address)
        const { externalId, request } = yield* delivery
        assert.isTrue(platform.isSigned(request))
        const { body, headers } = request
        assert.isFalse(platform.isSigned({ headers, body: body.with(0, (body[0] ?? 0) ^ 1) }))
        assert.isFalse(platform.isSigned({ headers: {}, body }))
        const decoded = yield* Effect.fromNullishOr(platform.decode("", request))
        assert.strictEqual(decoded.shopDomain, shop.shopDomain)
        assert.isNotNull(decoded.eventId)
        assert.deepInclude(decoded.signals, { kind: "changed", record: "orders", externalId })
      })
    )

    it.effect("reads nothing in an invalid delivery", () =>
      Effect.gen(function* () {
        const { platform } = yield* StoreSide
        for (const body of ["", "{", "null", "[]", "{}", "\u0000"]) {
          assert.isNull(platform.decode("orders/create", { headers: {}, body: new TextEncoder().encode(body) }))
        }
      })
    )

    it.effect("takes the app out of the shop, which ends the access", () =>
      Effect.gen(function* () {
        const { platform } = yield* StoreSide
        const { access } = yield* connect
        yield* platform.uninstall(access)
        assert.include(yield* Effect.flip(platform.shop(access)), { _tag: "StoreRefused", remedy: "reauthorize" })
      })
    )
  })
