import { assert, layer } from "@effect/vitest"
import { Permission } from "@parley/domain/kernel"
import {
  enableWebhookSubscription,
  getWebhookSubscription,
  grantablePermissions,
  installPlugin,
  isGrantable,
  offerPlugin,
  PluginCatalogue,
  type PluginManifest,
  replayWebhookEvents,
  rotateWebhookSecret,
  subscriptionOf,
  testWebhookSubscription,
  updatePlugin,
  updateWebhookSubscription
} from "@parley/domain/integrations"
import {
  aManifest,
  asOperatorOf,
  asPerson,
  givenMember,
  givenOrganization,
  ReceiverScript,
  TestKit
} from "@parley/testkit"
import { Effect } from "effect"
import { installed, tellPlugins } from "./given.ts"

const started = givenOrganization({ plan: "scale" })

const faultsOf = Effect.fnUntraced(function* (input: Partial<PluginManifest>) {
  const organization = yield* started
  const refusal = yield* Effect.flip(installed(organization, input))
  return refusal._tag === "ValidationFailed" ? refusal.errors.map(({ pointer }) => pointer) : refusal._tag
})

layer(TestKit.layer)("a hostile plugin", (it) => {
  it("is granted nothing that reaches people, programs, or what cannot be taken back", () => {
    const withheld = Permission.literals.filter((permission) => !isGrantable(permission))
    assert.sameMembers(withheld, [
      "organization.read",
      "organization.manage",
      "owners.manage",
      "members.read",
      "members.manage",
      "tokens.manage",
      "audit.read",
      "contacts.export",
      "contacts.erase",
      "webhook_subscriptions.manage",
      "plugins.read",
      "plugins.manage"
    ])
    assert.lengthOf(grantablePermissions, Permission.literals.length - withheld.length)
  })

  it.effect("is refused if a URL in its manifest is internal, points to the service, or is ambiguous", () =>
    Effect.gen(function* () {
      for (const baseUrl of [
        "http://plugin.acme.example",
        "https://127.0.0.1",
        "https://[::1]",
        "https://localhost",
        "https://2130706433",
        "https://0x7f.1",
        "https://user@plugin.acme.example",
        "https://plugin.acme.example:22",
        "https://plugin.acme.example/?next=1",
        "https://plugin.acme.example/#x",
        "https://parley.test",
        "https://printer.internal"
      ]) {
        assert.deepStrictEqual(yield* faultsOf({ baseUrl }), ["/manifest/baseUrl"], baseUrl)
      }
    })
  )

  it.effect("is refused for events that it may not see, and schemas that refer or match patterns", () =>
    Effect.gen(function* () {
      const events = (...types: [string, ...ReadonlyArray<string>]) =>
        ({ path: "/events", types, payloadVersion: "v1" }) as const
      assert.deepStrictEqual(yield* faultsOf({ events: events("message.received", "no.such") }), [
        "/manifest/events/types/0",
        "/manifest/events/types/1"
      ])
      assert.deepStrictEqual(yield* faultsOf({ settings: { type: "object", $ref: "#" } }), ["/manifest/settings/$ref"])
      const [action] = aManifest.actions ?? []
      if (action === undefined) return assert.fail("There is no action.")
      assert.deepStrictEqual(
        yield* faultsOf({ actions: [action, { ...action, output: { type: "object", patternProperties: {} } }] }),
        ["/manifest/actions/1/key", "/manifest/actions/1/output/patternProperties"]
      )
    })
  )

  it.effect("gets exactly its requested permissions, and never more than its installer has", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const manifest = { ...aManifest, permissions: ["contacts.read", "conversations.manage"] } as const
      const missing = yield* Effect.flip(
        installPlugin({ manifest, grants: ["contacts.read"] }).pipe(asOperatorOf(organization))
      )
      assert.deepInclude(missing, {
        errors: [
          {
            pointer: "/grants",
            message: "Expected exactly the permissions that the plugin requests: contacts.read, conversations.manage"
          }
        ]
      })
      const more = yield* Effect.flip(
        installPlugin({ manifest: aManifest, grants: ["contacts.read", "tokens.manage"] }).pipe(
          asOperatorOf(organization)
        )
      )
      assert.strictEqual(more._tag, "ValidationFailed")
      const agent = yield* givenMember(organization, "agent")
      const denied = yield* Effect.flip(
        asPerson(organization, agent)(installPlugin({ manifest, grants: manifest.permissions }))
      )
      assert.deepInclude(denied, { _tag: "PermissionDenied", permission: "plugins.manage" })
    })
  )

  it.effect("is installed once per key, and only by an offered key", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const { id } = yield* installed(organization)
      assert.deepInclude(yield* Effect.flip(installed(organization)), { _tag: "PluginExists", pluginId: id })
      const unknown = yield* Effect.flip(
        installPlugin({ key: "no-such-plugin", grants: [] }).pipe(asOperatorOf(organization))
      )
      assert.deepInclude(unknown, {
        errors: [{ pointer: "/key", message: "The catalogue has no plugin with this key" }]
      })
    })
  )

  it.effect("has a subscription that no caller reads, changes, replays or rotates", () =>
    Effect.gen(function* () {
      const organization = yield* started
      const plugin = yield* installed(organization)
      yield* tellPlugins
      const id = subscriptionOf(plugin.id)
      const refused = <E extends { readonly _tag: string }, R>(call: Effect.Effect<unknown, E, R>) =>
        Effect.map(Effect.flip(call.pipe(asOperatorOf(organization))), ({ _tag }) => _tag)
      const refusals = [
        yield* refused(getWebhookSubscription({ id })),
        yield* refused(updateWebhookSubscription({ id, url: "https://evil.example/hook", ifVersion: null })),
        yield* refused(enableWebhookSubscription({ id, ifVersion: null })),
        yield* refused(rotateWebhookSecret({ id })),
        yield* refused(testWebhookSubscription({ id })),
        yield* refused(replayWebhookEvents({ id, after: 0 }))
      ]
      assert.deepStrictEqual(
        refusals,
        refusals.map(() => "NotFound")
      )
    })
  )

  it.effect("is no other organization's", () =>
    Effect.gen(function* () {
      const { id } = yield* installed(yield* started)
      const other = yield* started
      const refusal = yield* Effect.flip(updatePlugin({ id, settings: {}, ifVersion: null }).pipe(asOperatorOf(other)))
      assert.strictEqual(refusal._tag, "NotFound")
    })
  )

  it.effect("is offered by a complete and valid manifest", () =>
    Effect.gen(function* () {
      const url = "https://acme.example/hostile.json"
      const { page } = yield* ReceiverScript
      const organization = yield* started
      const offer = (text: string) => {
        page(url, text)
        return Effect.flip(offerPlugin({ url }).pipe(asOperatorOf(organization)))
      }
      for (const text of ["", "[]", "{", '{"key":1,"key":2}', `${"[".repeat(40)}${"]".repeat(40)}`]) {
        assert.strictEqual((yield* offer(text))._tag, "ValidationFailed", text)
      }
      const named = yield* offer(
        JSON.stringify({ ...aManifest, key: "NO", permissions: ["tokens.manage"], surprise: true })
      )
      assert.sameMembers(named._tag === "ValidationFailed" ? named.errors.map(({ pointer }) => pointer) : [], [
        "/key",
        "/permissions/0",
        "/surprise"
      ])
      const inside = yield* Effect.flip(
        offerPlugin({ url: "https://10.0.0.1/plugin.json" }).pipe(asOperatorOf(organization))
      )
      assert.strictEqual(inside._tag, "ValidationFailed")
      const gone = yield* Effect.flip(
        offerPlugin({ url: "https://gone.example/p.json" }).pipe(asOperatorOf(organization))
      )
      assert.strictEqual(gone._tag, "PluginUnreadable")
      assert.deepStrictEqual(yield* (yield* PluginCatalogue).byKeys(["NO", aManifest.key]), [])
    })
  )
})
