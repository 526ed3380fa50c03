import { Effect, type Schema } from "effect"
import {
  CurrentActor,
  type Fault,
  holds,
  invalid,
  type Permission,
  PermissionDenied,
  ValidationFailed
} from "../../kernel/index.ts"
import { EventTypes, type KnownEventType } from "../../platform/events/index.ts"
import { utf8Bytes } from "../../platform/files/index.ts"
import {
  faultOfUrl,
  hostOfUrl,
  isLoopbackUrl,
  isMeantBy,
  type UrlSurroundings,
  WebhookSender,
  WebhookSettings
} from "../webhooks/index.ts"
import { areSame, mostPluginBytes, type PluginManifest } from "./PluginManifest.ts"
import { faultsOfSchema } from "./schemas/schemaFaults.ts"
import { faultOfCharacters } from "./schemas/valueFaults.ts"

/** What a manifest is judged by. */
export interface ManifestSurroundings extends UrlSurroundings {
  readonly types: ReadonlyMap<string, KnownEventType>
}

const faultsOfUrls = ({ baseUrl, publisher }: PluginManifest, surroundings: UrlSurroundings): ReadonlyArray<Fault> => {
  const where = faultOfUrl(baseUrl, surroundings)
  const whose = faultOfUrl(publisher.url, { ...surroundings, ownHost: null })
  return [
    ...(where === null ? [] : [{ pointer: "/baseUrl", message: where }]),
    ...(where === null && baseUrl.includes("?")
      ? [{ pointer: "/baseUrl", message: "Expected an address without a query" }]
      : []),
    ...(whose === null ? [] : [{ pointer: "/publisher/url", message: whose }])
  ]
}

/** A plugin is told of nothing that it may not see, so it would wait for such events in vain. */
const faultsOfEvents = (
  { events, permissions }: PluginManifest,
  types: ManifestSurroundings["types"]
): ReadonlyArray<Fault> =>
  (events?.types ?? []).flatMap((pattern, index) => {
    const pointer = `/events/types/${index}`
    const meant = Array.from(types.values()).filter(({ type }) => isMeantBy(type, pattern))
    const [first] = meant
    if (first === undefined) return [{ pointer, message: "There is no event of this type" }]
    if (meant.some(({ permission }) => permissions.includes(permission))) return []
    return [{ pointer, message: `Needs the permission ${first.permission}, which is not asked for` }]
  })

const faultsOfActions = ({ actions = [] }: PluginManifest): ReadonlyArray<Fault> =>
  actions.flatMap(({ input, key, output }, index) => {
    const pointer = `/actions/${index}`
    const isRepeated = actions.findIndex((other) => other.key === key) < index
    return [
      ...(isRepeated ? [{ pointer: `${pointer}/key`, message: "Expected each action once" }] : []),
      ...faultsOfSchema(input, `${pointer}/input`, { secrets: false }),
      ...faultsOfSchema(output, `${pointer}/output`, { secrets: false })
    ]
  })

const mostFaults = 50

/** Everything that is wrong with a manifest besides its form. Pointers are those within it. */
export const faultsOfManifest = (
  manifest: PluginManifest,
  { types, ...surroundings }: ManifestSurroundings
): ReadonlyArray<Fault> => {
  if (utf8Bytes(JSON.stringify(manifest)).length > mostPluginBytes) {
    return [{ pointer: "", message: "Expected a manifest of at most 64 KiB" }]
  }
  const unkept = faultOfCharacters(manifest as Schema.Json, "")
  if (unkept !== null) return [unkept]
  return [
    ...faultsOfUrls(manifest, surroundings),
    ...faultsOfEvents(manifest, types),
    ...(manifest.settings === undefined ? [] : faultsOfSchema(manifest.settings, "/settings", { secrets: true })),
    ...faultsOfActions(manifest)
  ].slice(0, mostFaults)
}

/** Refuses a manifest with everything that is wrong with it. `place` is where it stands in the request. */
export const checkManifest = Effect.fnUntraced(function* (manifest: PluginManifest, place: string) {
  const { loopback, publicUrl } = yield* WebhookSettings
  const types = yield* EventTypes
  const faults = faultsOfManifest(manifest, { loopback, ownHost: hostOfUrl(publicUrl), types })
  if (faults.length === 0) return
  return yield* new ValidationFailed({
    errors: faults.map(({ message, pointer }) => ({ pointer: place + pointer, message }))
  })
})

/** Refuses a plugin whose host has addresses that are not public. It asks outside, so no unit of work is open. */
export const checkHost = Effect.fnUntraced(function* ({ baseUrl }: PluginManifest, place: string) {
  const { loopback } = yield* WebhookSettings
  if (loopback && isLoopbackUrl(baseUrl)) return
  if (yield* (yield* WebhookSender).isPublic(baseUrl)) return
  return yield* invalid(`${place}/baseUrl`, "Expected a host with addresses of the public Internet only")
})

/** Refuses grants that are not exactly what is asked for, or that whoever grants them does not hold. */
export const checkGrants = Effect.fnUntraced(function* (
  { permissions }: PluginManifest,
  grants: ReadonlyArray<Permission>
) {
  const actor = yield* CurrentActor
  const missing = grants.find((permission) => !holds(actor, permission))
  if (missing !== undefined) return yield* new PermissionDenied({ permission: missing })
  if (areSame(permissions, grants)) return
  const asked = permissions.length === 0 ? "none" : permissions.join(", ")
  return yield* invalid("/grants", `Expected exactly the permissions that the plugin asks for: ${asked}`)
})
