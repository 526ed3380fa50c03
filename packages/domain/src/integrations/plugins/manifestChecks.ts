import { Effect, type Schema } from "effect"
import {
  CurrentActor,
  type ValidationIssue,
  hasPermission,
  hostOfUrl,
  invalid,
  isLoopbackUrl,
  type Permission,
  PermissionDenied,
  storableTextIssue,
  urlIssue,
  type UrlPolicy,
  ValidationFailed
} from "../../kernel/index.ts"
import { EventTypes, type EventTypeInfo } from "../../platform/events/index.ts"
import { utf8Bytes } from "../../platform/files/index.ts"
import { matchesPattern, WebhookSender, WebhookSettings } from "../webhooks/index.ts"
import { hasSamePermissions, maxPluginBytes, type PluginManifest } from "./PluginManifest.ts"
import { validatePluginSchema } from "./schemas/schemaValidation.ts"

/** Context for the validation of a manifest. */
export interface ManifestContext extends UrlPolicy {
  readonly types: ReadonlyMap<string, EventTypeInfo>
}

const validateUrls = (
  { baseUrl, publisher }: PluginManifest,
  surroundings: UrlPolicy
): ReadonlyArray<ValidationIssue> => {
  const where = urlIssue(baseUrl, surroundings)
  const whose = urlIssue(publisher.url, { ...surroundings, ownHost: null })
  return [
    ...(where === null ? [] : [{ pointer: "/baseUrl", message: where }]),
    ...(where === null && baseUrl.includes("?")
      ? [{ pointer: "/baseUrl", message: "Expected an address without a query" }]
      : []),
    ...(whose === null ? [] : [{ pointer: "/publisher/url", message: whose }])
  ]
}

/** Rejects events outside the plugin's permissions, because the plugin would never receive them. */
const validateEvents = (
  { events, permissions }: PluginManifest,
  types: ManifestContext["types"]
): ReadonlyArray<ValidationIssue> =>
  (events?.types ?? []).flatMap((pattern, index) => {
    const pointer = `/events/types/${index}`
    const meant = Array.from(types.values()).filter(({ type }) => matchesPattern(type, pattern))
    const [first] = meant
    if (first === undefined) return [{ pointer, message: "There is no event of this type" }]
    if (meant.some(({ permission }) => permissions.includes(permission))) return []
    return [{ pointer, message: `Needs the permission ${first.permission}, which the plugin does not request` }]
  })

const validatePluginActions = ({ actions = [] }: PluginManifest): ReadonlyArray<ValidationIssue> =>
  actions.flatMap(({ input, key, output }, index) => {
    const pointer = `/actions/${index}`
    const isRepeated = actions.findIndex((other) => other.key === key) < index
    return [
      ...(isRepeated ? [{ pointer: `${pointer}/key`, message: "Expected each action once" }] : []),
      ...validatePluginSchema(input, `${pointer}/input`, { secrets: false }),
      ...validatePluginSchema(output, `${pointer}/output`, { secrets: false })
    ]
  })

const maxIssues = 50

/** Returns all errors of a manifest beyond its schema. Pointers are relative to the manifest. */
export const validateManifest = (
  manifest: PluginManifest,
  { types, ...surroundings }: ManifestContext
): ReadonlyArray<ValidationIssue> => {
  if (utf8Bytes(JSON.stringify(manifest)).length > maxPluginBytes) {
    return [{ pointer: "", message: "Expected a manifest of at most 64 KiB" }]
  }
  const unstorable = storableTextIssue(manifest as Schema.Json, "")
  if (unstorable !== null) return [unstorable]
  return [
    ...validateUrls(manifest, surroundings),
    ...validateEvents(manifest, types),
    ...(manifest.settings === undefined ? [] : validatePluginSchema(manifest.settings, "/settings", { secrets: true })),
    ...validatePluginActions(manifest)
  ].slice(0, maxIssues)
}

/** Fails with all errors of a manifest. `place` locates it in the request. */
export const checkManifest = Effect.fnUntraced(function* (manifest: PluginManifest, place: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  const types = yield* EventTypes
  const faults = validateManifest(manifest, { loopback, ownHost: hostOfUrl(publicUrl), types })
  if (faults.length === 0) return
  return yield* new ValidationFailed({
    errors: faults.map(({ message, pointer }) => ({ pointer: place + pointer, message }))
  })
})

/** Fails if the plugin's host has non-public addresses. Uses the network, so call it outside a unit of work. */
export const checkHost = Effect.fnUntraced(function* ({ baseUrl }: PluginManifest, place: string) {
  const { loopback } = yield* WebhookSettings
  if (loopback && isLoopbackUrl(baseUrl)) return
  if (yield* (yield* WebhookSender).isPublic(baseUrl)) return
  return yield* invalid(`${place}/baseUrl`, "Expected a host with addresses of the public Internet only")
})

/** Fails unless the grants equal the requested permissions and the granting actor holds all of them. */
export const checkGrants = Effect.fnUntraced(function* (
  { permissions }: PluginManifest,
  grants: ReadonlyArray<Permission>
) {
  const actor = yield* CurrentActor
  const missing = grants.find((permission) => !hasPermission(actor, permission))
  if (missing !== undefined) return yield* new PermissionDenied({ permission: missing })
  if (hasSamePermissions(permissions, grants)) return
  const asked = permissions.length === 0 ? "none" : permissions.join(", ")
  return yield* invalid("/grants", `Expected exactly the permissions that the plugin requests: ${asked}`)
})
