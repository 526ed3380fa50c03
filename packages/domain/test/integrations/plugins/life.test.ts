import { assert, layer } from "@effect/vitest"
import { type Permission, permissionsOf, type PluginId, ValidationFailed, Vault } from "@parley/domain/kernel"
import { authorize, type Organization, sendDueEmails, setOrganizationPlan, TokenSigner } from "@parley/domain/platform"
import {
  enablePlugin,
  installPlugin,
  listPluginDeliveries,
  listWebhookSubscriptions,
  type NewPlugin,
  PluginCatalogue,
  type PluginManifest,
  rotatePluginSecret,
  uninstallPlugin,
  updatePlugin,
  upgradePlugin
} from "@parley/domain/integrations"
import {
  aManifest,
  asOperatorOf,
  givenMember,
  givenOrganization,
  MemoryReceivers,
  ReceiverScript,
  SentMails,
  TestKit
} from "@parley/testkit"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { bodyOf, deliver, send, settleReactions, tell } from "../webhooks/given.ts"
import { disabled, eventsUrl, installed, lifecycleUrl, pluginNow, saidTo, tellPlugins } from "./given.ts"

const { accepted, refused } = MemoryReceivers

const valueOf = (text: Redacted.Redacted | undefined) => (text === undefined ? "" : Redacted.value(text))

const started = givenOrganization({ plan: "scale" })

/** Result of a call with this token. */
const admitted = Effect.fnUntraced(function* (organization: Organization, token: unknown) {
  const claims = yield* (yield* TokenSigner).verify(Redacted.make(String(token)), ["automation"])
  if (claims.use !== "automation") return yield* Effect.die("It is a token of something else.")
  return yield* authorize(claims, organization.id)
})

const answers = (outcome: typeof accepted, url = lifecycleUrl) =>
  Effect.map(ReceiverScript, (script) => script.answer(url, () => Effect.succeed(outcome)))

const setPlan = (organization: Organization, plan: "growth" | "scale") =>
  Effect.andThen(asOperatorOf(organization)(setOrganizationPlan({ plan })), settleReactions(organization))

layer(TestKit.layer)("the life of a plugin", (it) => {
  it.effect("begins with a signed call that carries token, secret and settings, and with events after the answer", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const plugin = yield* installed(organization, {}, { apiKey: "ak_1", points: 3 })
      assert.strictEqual(plugin.status, "installing")
      assert.deepStrictEqual([plugin.token, plugin.secret], [undefined, undefined])
      assert.deepStrictEqual(plugin.settings, { apiKey: true, points: 3 })
      yield* tell(organization, "before")
      yield* settleReactions(organization)
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      assert.strictEqual(greeting?.["type"], "plugin.installed")
      assert.deepStrictEqual(greeting?.["settings"], { apiKey: "ak_1", points: 3 })
      assert.match(String(greeting?.["secret"]), /^whsec_/u)
      assert.strictEqual((yield* pluginNow(organization, plugin.id)).status, "enabled")
      yield* tell(organization, "after")
      yield* deliver(organization)
      const result = yield* saidTo(eventsUrl, organization)
      assert.deepStrictEqual(
        result.map(({ data }) => data),
        [{ tagId: "after" }]
      )
      const { data } = yield* asOperatorOf(organization)(
        listPluginDeliveries({
          id: plugin.id,
          state: null,
          type: null,
          from: null,
          to: null,
          page: { limit: 9, cursor: null }
        })
      )
      assert.deepStrictEqual(
        data.map(({ state }) => state),
        ["delivered"]
      )
    })
  )

  it.effect("has its own token with exactly the granted permissions", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      const { actor } = yield* admitted(organization, greeting?.["token"])
      assert.deepInclude(actor, { kind: "plugin", pluginId: id })
      assert.deepStrictEqual(Array.from(permissionsOf(actor)), ["contacts.read"])
      const other = yield* started
      assert.strictEqual((yield* Effect.flip(admitted(other, greeting?.["token"])))._tag, "OrganizationForbidden")
    })
  )

  it.effect("delivers the token by a call once if the installer cannot pass it on", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { lifecycle: _, ...manifest } = aManifest
      const plugin = yield* installPlugin({ manifest, grants: manifest.permissions }).pipe(asOperatorOf(organization))
      assert.strictEqual(plugin.status, "enabled")
      const token = Redacted.value(plugin.token ?? Redacted.make(""))
      assert.strictEqual((yield* admitted(organization, token)).actor.kind, "plugin")
      assert.isDefined(plugin.secret)
      yield* disabled(organization, plugin.id)
      const again = yield* enablePlugin({ id: plugin.id, ifVersion: null }).pipe(asOperatorOf(organization))
      assert.isDefined(again.token)
      assert.isUndefined(again.secret)
    })
  )

  it.effect("fails after three failed attempts, and retries when enabled again", () =>
    Effect.gen(function* () {
      const organization = yield* started
      yield* answers(refused)
      const { id } = yield* installed(organization)
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 1)
      yield* TestClock.adjust("5 seconds")
      yield* tellPlugins
      assert.strictEqual((yield* pluginNow(organization, id)).status, "installing")
      yield* TestClock.adjust("30 seconds")
      yield* tellPlugins
      const calls = yield* saidTo(lifecycleUrl, organization)
      assert.lengthOf(calls, 3)
      const failed = yield* pluginNow(organization, id)
      assert.strictEqual(failed.status, "failed")
      assert.deepInclude(failed.lastError, {
        code: "lifecycle_failed",
        message: "Three calls for plugin.installed failed: it answered 500."
      })
      assert.strictEqual((yield* Effect.flip(admitted(organization, calls[0]?.["token"])))._tag, "TokenRevoked")
      yield* answers(accepted)
      yield* enablePlugin({ id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* tellPlugins
      const retried = yield* pluginNow(organization, id)
      assert.deepStrictEqual([retried.status, retried.lastError], ["enabled", null])
      assert.strictEqual((yield* saidTo(lifecycleUrl, organization)).at(-1)?.["type"], "plugin.installed")
    })
  )

  it.effect("stops directly when disabled, and continues with a new token from the next event", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      yield* tell(organization, "one")
      yield* settleReactions(organization)
      yield* disabled(organization, id)
      yield* tell(organization, "two")
      yield* deliver(organization)
      assert.strictEqual((yield* Effect.flip(admitted(organization, greeting?.["token"])))._tag, "TokenRevoked")
      assert.lengthOf(yield* saidTo(eventsUrl, organization), 0)
      yield* enablePlugin({ id, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* tellPlugins
      yield* tell(organization, "three")
      yield* deliver(organization)
      const calls = yield* saidTo(lifecycleUrl, organization)
      assert.deepStrictEqual(
        calls.map(({ type }) => type),
        ["plugin.installed", "plugin.disabled", "plugin.enabled"]
      )
      assert.isUndefined(calls[1]?.["token"])
      assert.strictEqual((yield* admitted(organization, calls[2]?.["token"])).actor.kind, "plugin")
      assert.deepStrictEqual(
        (yield* saidTo(eventsUrl, organization)).map(({ data }) => data),
        [{ tagId: "three" }]
      )
    })
  )

  it.effect("waits with a reason while the plan has no plugins, and goes on where it was", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      yield* setPlan(organization, "growth")
      const refusal = yield* Effect.flip(admitted(organization, greeting?.["token"]))
      assert.deepInclude(refusal, { _tag: "FeatureNotInPlan", feature: "plugins" })
      assert.strictEqual((yield* pluginNow(organization, id)).lastError?.code, "feature_not_in_plan")
      yield* tell(organization, "meanwhile")
      yield* deliver(organization)
      assert.lengthOf(yield* saidTo(eventsUrl, organization), 0)
      const gated = yield* Effect.flip(
        updatePlugin({ id, settings: {}, ifVersion: null }).pipe(asOperatorOf(organization))
      )
      assert.strictEqual(gated._tag, "FeatureNotInPlan")
      yield* setPlan(organization, "scale")
      yield* send
      assert.lengthOf(yield* saidTo(eventsUrl, organization), 1)
      assert.strictEqual((yield* admitted(organization, greeting?.["token"])).actor.kind, "plugin")
      assert.isNull((yield* pluginNow(organization, id)).lastError)
    })
  )

  it.effect("gets the next token after 60 days, and both are good", () =>
    Effect.gen(function* () {
      const organization = yield* started
      yield* installed(organization)
      yield* tellPlugins
      yield* TestClock.adjust("59 days")
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 1)
      yield* TestClock.adjust("1 day")
      yield* tellPlugins
      const calls = yield* saidTo(lifecycleUrl, organization)
      assert.deepStrictEqual(
        calls.map(({ type }) => type),
        ["plugin.installed", "plugin.token_rotated"]
      )
      for (const { token } of calls) {
        assert.strictEqual((yield* admitted(organization, token)).actor.kind, "plugin")
      }
      yield* TestClock.adjust("30 days")
      assert.strictEqual((yield* Effect.flip(admitted(organization, calls[0]?.["token"])))._tag, "TokenExpired")
      assert.strictEqual((yield* admitted(organization, calls[1]?.["token"])).actor.kind, "plugin")
    })
  )

  it.effect("gets a new secret and token on request; the earlier ones expire after the overlap", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* tellPlugins
      yield* rotatePluginSecret({ id, overlapSeconds: 60 }).pipe(asOperatorOf(organization))
      yield* tellPlugins
      const [first, second] = yield* saidTo(lifecycleUrl, organization)
      assert.strictEqual(second?.["type"], "plugin.token_rotated")
      assert.notStrictEqual(first?.["secret"], second?.["secret"])
      assert.strictEqual((yield* admitted(organization, first?.["token"])).actor.kind, "plugin")
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* Effect.flip(admitted(organization, first?.["token"])))._tag, "TokenRevoked")
      assert.strictEqual((yield* admitted(organization, second?.["token"])).actor.kind, "plugin")
    })
  )

  it.effect("ends with a last call, and nothing of it is left", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization, {}, { apiKey: "ak_2" })
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      yield* tell(organization, "waits")
      yield* settleReactions(organization)
      yield* uninstallPlugin({ id, ifVersion: null }).pipe(asOperatorOf(organization))
      assert.strictEqual((yield* Effect.flip(admitted(organization, greeting?.["token"])))._tag, "TokenInvalid")
      yield* tellPlugins
      yield* send
      const last = (yield* saidTo(lifecycleUrl, organization)).at(-1)
      assert.deepInclude(last, { type: "plugin.uninstalled", settings: {} })
      assert.isUndefined(last?.["token"])
      assert.lengthOf(yield* saidTo(eventsUrl, organization), 0)
      const script = yield* ReceiverScript
      const request = script.posted(lifecycleUrl).find((each) => bodyOf(each)["type"] === "plugin.uninstalled")
      assert.isDefined(request?.secrets[0])
      // It can be installed again.
      assert.strictEqual((yield* installed(organization)).status, "installing")
    })
  )

  it.effect("fails when it has taken no event for days, or says that it is gone", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { user } = yield* givenMember(organization, "owner")
      const { id } = yield* installed(organization)
      yield* tellPlugins
      yield* answers({ ...refused, status: 410 }, eventsUrl)
      yield* tell(organization, "one")
      yield* deliver(organization)
      yield* sendDueEmails
      const letters = yield* (yield* SentMails).to(user.email)
      assert.deepStrictEqual(
        letters.map(({ subject }) => subject),
        ["Your plugin Acme Loyalty is disabled"]
      )
      assert.notMatch(letters.map(({ text }) => text).join(), /webhook/iu)
      yield* settleReactions(organization)
      yield* answers(accepted, eventsUrl)
      const failed = yield* pluginNow(organization, id)
      assert.deepStrictEqual([failed.status, failed.lastError?.code], ["failed", "deliveries_failed"])
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      assert.strictEqual((yield* Effect.flip(admitted(organization, greeting?.["token"])))._tag, "TokenRevoked")
    })
  )

  it.effect("is not among the webhook subscriptions that people have written", () =>
    Effect.gen(function* () {
      const organization = yield* started
      yield* installed(organization)
      yield* tellPlugins
      const { data } = yield* asOperatorOf(organization)(listWebhookSubscriptions({ page: { limit: 9, cursor: null } }))
      assert.deepStrictEqual(data, [])
    })
  )
})

layer(TestKit.layer)("a change of a plugin", (it) => {
  it.effect("of settings keeps absent values and notifies the plugin", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization, {}, { apiKey: "ak_1", points: 3 })
      yield* tellPlugins
      const change = (settings: Readonly<Record<string, string | number | boolean | null>>) =>
        updatePlugin({ id, settings, ifVersion: null }).pipe(asOperatorOf(organization))
      yield* change({ points: 4 })
      yield* change({ apiKey: true, points: null })
      yield* tellPlugins
      const calls = yield* saidTo(lifecycleUrl, organization)
      assert.deepStrictEqual(
        calls.slice(1).map(({ settings, type }) => [type, settings]),
        [
          ["plugin.settings_changed", { apiKey: "ak_1" }],
          ["plugin.settings_changed", { apiKey: "ak_1" }]
        ]
      )
      const refusal = yield* Effect.flip(change({ points: 0, other: 1 }))
      assert.deepInclude(refusal, {
        errors: [
          { pointer: "/settings/points", message: "Expected at least 1" },
          { pointer: "/settings/other", message: "There is no property with this name" }
        ]
      })
      const plugin = yield* pluginNow(organization, id)
      assert.deepStrictEqual(plugin.settings, { apiKey: true })
      assert.isDefined(yield* Vault)
    })
  )

  it.effect("to a newer version asks for grants where it asks for more, or is on another host", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-upgrade"
      const { id } = yield* installed(organization, { key })
      yield* tellPlugins
      const offer = (input: Partial<typeof aManifest>) =>
        Effect.flatMap(PluginCatalogue, (catalogue) =>
          catalogue.put({ manifest: { ...aManifest, key, ...input }, url: "https://acme.example/plugin.json" })
        )
      const upgrade = (input: Omit<Parameters<typeof upgradePlugin>[0], "id" | "ifVersion">) =>
        upgradePlugin({ id, ...input, ifVersion: null }).pipe(asOperatorOf(organization))
      assert.deepInclude(yield* Effect.flip(upgrade({ version: "1.5.0" })), { available: null })
      yield* offer({ version: "1.3.9" })
      assert.deepInclude(yield* Effect.flip(upgrade({ version: "1.3.9" })), { available: null })
      yield* offer({ version: "1.10.0", permissions: ["contacts.manage", "contacts.read"] })
      const { update } = yield* pluginNow(organization, id)
      assert.deepInclude(update, { version: "1.10.0", permissions: { added: ["contacts.manage"], removed: [] } })
      assert.deepInclude(yield* Effect.flip(upgrade({ version: "1.9.0" })), { available: "1.10.0" })
      assert.strictEqual((yield* Effect.flip(upgrade({ version: "1.10.0" })))._tag, "ValidationFailed")
      const part = yield* Effect.flip(upgrade({ version: "1.10.0", grants: ["contacts.manage"] }))
      assert.strictEqual(part._tag, "ValidationFailed")
      const upgraded = yield* upgrade({ version: "1.10.0", grants: ["contacts.read", "contacts.manage"] })
      assert.deepStrictEqual(upgraded.permissions, ["contacts.manage", "contacts.read"])
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      const { actor } = yield* admitted(organization, greeting?.["token"])
      assert.deepStrictEqual(Array.from(permissionsOf(actor)), ["contacts.manage", "contacts.read"])
      yield* offer({ version: "1.11.0", baseUrl: "https://evil.example" })
      assert.strictEqual((yield* Effect.flip(upgrade({ version: "1.11.0" })))._tag, "ValidationFailed")
      yield* offer({ version: "1.11.0" })
      assert.deepStrictEqual((yield* upgrade({ version: "1.11.0" })).permissions, ["contacts.read"])
      assert.deepStrictEqual(Array.from(permissionsOf((yield* admitted(organization, greeting?.["token"])).actor)), [
        "contacts.read"
      ])
    })
  )
})

layer(TestKit.layer)("a manifest of an upgrade", (it) => {
  it.effect("replaces the manifest of a plugin outside the catalogue, with the same version too", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-draft"
      const { id } = yield* installed(organization, { key })
      yield* tellPlugins
      const replace = (input: Partial<typeof aManifest>, grants?: ReadonlyArray<Permission>) =>
        upgradePlugin({
          id,
          manifest: { ...aManifest, key, ...input },
          ...(grants !== undefined && { grants }),
          ifVersion: null
        }).pipe(asOperatorOf(organization))
      const renamed = yield* replace({ name: "Draft" })
      assert.deepStrictEqual([renamed.name, renamed.manifest.version], ["Draft", aManifest.version])
      assert.strictEqual((yield* replace({ version: "0.1.0" })).manifest.version, "0.1.0")
      const pointersOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
        Effect.map(Effect.flip(effect), (error) =>
          error instanceof ValidationFailed ? error.errors.map(({ pointer }) => pointer) : error
        )
      assert.deepStrictEqual(yield* pointersOf(replace({ key: "acme-other" })), ["/manifest/key"])
      const more: ReadonlyArray<Permission> = ["contacts.manage", "contacts.read"]
      assert.deepStrictEqual(yield* pointersOf(replace({ permissions: more })), ["/grants"])
      assert.deepStrictEqual((yield* replace({ permissions: more }, more)).permissions, more)
      const both = upgradePlugin({ id, version: "2.0.0", manifest: { ...aManifest, key }, ifVersion: null })
      assert.deepStrictEqual(yield* pointersOf(both.pipe(asOperatorOf(organization))), [""])
      yield* Effect.flatMap(PluginCatalogue, (catalogue) =>
        catalogue.put({ manifest: { ...aManifest, key }, url: "https://acme.example/plugin.json" })
      )
      assert.deepStrictEqual(yield* pointersOf(replace({})), ["/manifest"])
    })
  )
})

const elsewhere = "https://elsewhere.example"

/** Adds a version on another host to the catalogue, and upgrades the plugin to it. */
const moved = Effect.fnUntraced(function* (organization: Organization, id: PluginId, input: Partial<PluginManifest>) {
  const offered = { ...aManifest, ...input, version: "2.0.0", baseUrl: elsewhere }
  const entry = { manifest: offered, url: "https://acme.example/plugin.json" }
  yield* (yield* PluginCatalogue).put(entry)
  return yield* upgradePlugin({ id, version: "2.0.0", grants: offered.permissions, ifVersion: null }).pipe(
    asOperatorOf(organization)
  )
})

/** The signing secrets of the last request to this address. */
const signedWith = (url: string) =>
  Effect.map(ReceiverScript, (script) => script.posted(url).at(-1)?.secrets.map(Redacted.value))

layer(TestKit.layer)("an upgrade to another host", (it) => {
  it.effect("takes token and secret from the former one, and brings others to the new one", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-moved"
      const { id } = yield* installed(organization, { key })
      yield* tellPlugins
      const [greeting] = yield* saidTo(lifecycleUrl, organization)
      assert.isUndefined((yield* moved(organization, id, { key })).token)
      assert.strictEqual((yield* Effect.flip(admitted(organization, greeting?.["token"])))._tag, "TokenRevoked")
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 1)
      const there = `${elsewhere}/lifecycle`
      const [upgraded] = yield* saidTo(there, organization)
      assert.strictEqual(upgraded?.["type"], "plugin.upgraded")
      assert.strictEqual((yield* admitted(organization, upgraded?.["token"])).actor.kind, "plugin")
      assert.notStrictEqual(upgraded?.["secret"], greeting?.["secret"])
      assert.deepStrictEqual(yield* signedWith(there), [upgraded?.["secret"], greeting?.["secret"]])
      yield* TestClock.adjust("10 minutes")
      yield* tell(organization, "moved")
      yield* deliver(organization)
      assert.deepStrictEqual(yield* signedWith(`${elsewhere}/events`), [upgraded?.["secret"]])
      assert.lengthOf(yield* saidTo(eventsUrl, organization), 0)
    })
  )

  it.effect.each([
    ["another host", "https://elsewhere.example"],
    ["another port", "https://plugin.acme.example:8443"]
  ] as const)("takes no secret setting to %s that is not specified again", ([, baseUrl]) =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = `acme-sealed-${baseUrl.length}`
      const { id } = yield* installed(organization, { key }, { apiKey: "s3cret", points: 3 })
      yield* tellPlugins
      const offered = { ...aManifest, key, version: "2.0.0", baseUrl }
      yield* (yield* PluginCatalogue).put({ manifest: offered, url: "https://acme.example/plugin.json" })
      const upgrade = (settings?: NewPlugin["settings"], grants = offered.permissions) =>
        upgradePlugin({
          id,
          version: "2.0.0",
          grants,
          ...(settings !== undefined && { settings }),
          ifVersion: null
        }).pipe(asOperatorOf(organization))
      for (const settings of [undefined, {}, { points: 4 }, { apiKey: true }]) {
        const error = yield* Effect.flip(upgrade(settings))
        assert.deepStrictEqual(
          error._tag === "ValidationFailed" ? error.errors.map(({ pointer }) => pointer) : [error._tag],
          ["/settings/apiKey"]
        )
      }
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(`${baseUrl}/lifecycle`, organization), 0)
      assert.deepStrictEqual((yield* upgrade({ apiKey: "n3w" })).settings, { apiKey: true, points: 3 })
      yield* tellPlugins
      const [upgraded] = yield* saidTo(`${baseUrl}/lifecycle`, organization)
      assert.deepInclude(upgraded, { type: "plugin.upgraded", settings: { apiKey: "n3w", points: 3 } })
    })
  )

  it.effect("removes a secret setting on request", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-unset"
      const { id } = yield* installed(organization, { key }, { apiKey: "s3cret", points: 3 })
      const offered = { ...aManifest, key, version: "2.0.0", baseUrl: elsewhere }
      yield* (yield* PluginCatalogue).put({ manifest: offered, url: "https://acme.example/plugin.json" })
      const { settings } = yield* upgradePlugin({
        id,
        version: "2.0.0",
        grants: offered.permissions,
        settings: { apiKey: null },
        ifVersion: null
      }).pipe(asOperatorOf(organization))
      assert.deepStrictEqual(settings, { points: 3 })
    })
  )

  it.effect("begins there where the plugin has not answered yet", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const key = "acme-begun"
      const { id } = yield* installed(organization, { key })
      yield* moved(organization, id, { key })
      yield* tellPlugins
      assert.lengthOf(yield* saidTo(lifecycleUrl, organization), 0)
      const [greeting, ...others] = yield* saidTo(`${elsewhere}/lifecycle`, organization)
      assert.lengthOf(others, 0)
      assert.deepInclude(greeting, { type: "plugin.installed", version: "2.0.0" })
      assert.strictEqual((yield* admitted(organization, greeting?.["token"])).actor.kind, "plugin")
      assert.strictEqual((yield* pluginNow(organization, id)).status, "enabled")
    })
  )

  it.effect("is answered with token and secret without a lifecycle URL, and with neither after a failure", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { lifecycle: _, ...silent } = aManifest
      const key = "acme-silent"
      const manifest = { ...silent, key }
      const { id, secret, token } = yield* installPlugin({ manifest, grants: manifest.permissions }).pipe(
        asOperatorOf(organization)
      )
      const there = { ...manifest, version: "2.0.0", baseUrl: elsewhere }
      const catalogue = yield* PluginCatalogue
      const url = "https://acme.example/plugin.json"
      yield* catalogue.put({ manifest: there, url })
      const upgrade = (version: string) =>
        upgradePlugin({ id, version, grants: manifest.permissions, ifVersion: null }).pipe(asOperatorOf(organization))
      const first = yield* upgrade("2.0.0")
      assert.strictEqual((yield* admitted(organization, valueOf(first.token))).actor.kind, "plugin")
      assert.strictEqual((yield* Effect.flip(admitted(organization, valueOf(token))))._tag, "TokenRevoked")
      assert.notStrictEqual(valueOf(first.secret), valueOf(secret))
      yield* disabled(organization, id)
      yield* catalogue.put({ manifest: { ...manifest, version: "3.0.0" }, url })
      const second = yield* upgrade("3.0.0")
      assert.isUndefined(second.token)
      assert.notStrictEqual(valueOf(second.secret), valueOf(first.secret))
    })
  )
})

layer(TestKit.layer)("a plugin that has not answered yet", (it) => {
  it.effect("starts with the rotated secret and token", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      yield* rotatePluginSecret({ id, overlapSeconds: 0 }).pipe(asOperatorOf(organization))
      yield* tellPlugins
      const [greeting, ...others] = yield* saidTo(lifecycleUrl, organization)
      assert.lengthOf(others, 0)
      assert.strictEqual(greeting?.["type"], "plugin.installed")
      assert.strictEqual((yield* admitted(organization, greeting?.["token"])).actor.kind, "plugin")
    })
  )
})
