import { assert } from "@effect/vitest"
import { grantablePermissions } from "@parley/domain/integrations"
import type { Ports } from "@parley/domain/composition"
import { aManifest, givenConversation, putPlugin, tokenOfPlugin } from "@parley/testkit"
import { Effect, type Layer, type Redacted } from "effect"
import { endpoints } from "../harness/contract.ts"
import { call } from "../harness/Http.ts"
import { validRequest } from "../harness/requests.ts"
import { overHttp } from "../harness/service.ts"
import { freshText, givenAutomationToken, givenMember, givenTenant, givenUser, inside } from "../harness/tenants.ts"

const reads = endpoints.filter(({ admission, method }) => method === "GET" && admission === "organization")

/** An organization with a uniquely named, involved member, and a plugin with all permissions that plugins can have. */
const situation = Effect.gen(function* () {
  const tenant = yield* givenTenant("scale")
  const { organization } = tenant
  const name = yield* freshText("Somebody")
  const user = yield* givenUser({ name })
  yield* givenMember(organization, user, "agent")
  yield* inside(organization)(givenConversation(organization, { assigneeId: user.id }))
  const key = `p-${organization.id.replaceAll("-", "").slice(-30)}`
  const { id } = yield* putPlugin(organization, { manifest: { ...aManifest, key, permissions: grantablePermissions } })
  return { tenant, user, token: yield* tokenOfPlugin(organization, id) }
})

/** Reads with the token of a plugin that has all grantable permissions. */
export const pluginReadsSuite = <E>(name: string, ports: Layer.Layer<Ports, E>) =>
  overHttp(name, ports, (it) => {
    it.effect.each(reads)("$id shows it no names", (endpoint) =>
      Effect.gen(function* () {
        const { tenant, token, user } = yield* situation
        const { path, ...request } = yield* validRequest(endpoint, { tenant, person: tenant.owner })
        const answer = yield* call("GET", path, { ...request, token })
        assert.oneOf(answer.status, [endpoint.success, 403])
        for (const input of [user.name, user.email, tenant.owner.user.email]) assert.notInclude(answer.text, input)
      })
    )

    it.effect("shows it its own installation, and refuses every other token by name", () =>
      Effect.gen(function* () {
        const tenant = yield* givenTenant("scale")
        const { id, name } = tenant.organization
        const plugin = yield* putPlugin(tenant.organization)
        const me = (token: Redacted.Redacted) => call("GET", "/api/v1/plugins/me", { token, organization: id })
        const own = yield* me(yield* tokenOfPlugin(tenant.organization, plugin.id))
        assert.strictEqual(own.status, 200)
        const { permissions, version } = aManifest
        assert.deepInclude(own.body, {
          id: plugin.id,
          key: plugin.manifest.key,
          version,
          status: "enabled",
          permissions
        })
        assert.deepInclude(own.body, { organization: { id, name }, events: ["tag.created"] })
        assert.deepInclude(own.body, { actions: [{ key: "add_points", path: "/actions/add_points" }] })
        const automation = yield* givenAutomationToken(tenant, ["plugins.read"])
        for (const token of [tenant.owner.token, automation.token]) {
          const refused = yield* me(token)
          assert.deepStrictEqual(
            [refused.status, refused.body.code, refused.body.permission],
            [403, "permission_denied", "plugin"]
          )
        }
      })
    )

    it.effect("a person with the same permissions sees names, so the search finds its target", () =>
      Effect.gen(function* () {
        const { tenant, token, user } = yield* situation
        const asked = { token: tenant.owner.token, organization: tenant.organization.id }
        for (const path of ["/api/v1/analytics/agents?period=30d", "/api/v1/analytics/overview?period=7d"]) {
          assert.include((yield* call("GET", path, asked)).text, user.name)
          const answer = yield* call("GET", path, { ...asked, token })
          assert.include(answer.text, user.id)
          assert.notInclude(answer.text, user.name)
        }
      })
    )
  })
