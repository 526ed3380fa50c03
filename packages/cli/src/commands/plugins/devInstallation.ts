import type { Plugin, PluginWithCredentials } from "@parley/domain/integrations"
import type { ValidationIssue } from "@parley/domain/kernel"
import { Console, Effect, type Option, Predicate, Redacted, type Schema } from "effect"
import type { Failure } from "../../console/Failure.ts"
import { collect, queryOf } from "../../console/listing.ts"
import { writePrivately } from "../../profiles/ProfileFolder.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { locate, ManifestInvalid, type ManifestFile } from "./manifestFile.ts"

type Settings = Readonly<Record<string, Schema.Json>>

const maxPlugins = 1_000

/** Finds the installation of a manifest by its key. */
const findInstalled = Effect.fnUntraced(function* ({ plugins }: Tenant, key: string) {
  const { rows } = yield* collect(maxPlugins, (page) =>
    plugins.list({ query: { view: "installed", ...queryOf(page) } })
  )
  return rows.find((row): row is Plugin => "id" in row && row.key === key) ?? null
})

const hasIssues = (failure: Failure): failure is Failure & { readonly errors: ReadonlyArray<ValidationIssue> } =>
  failure._tag === "ValidationFailed" && Predicate.hasProperty(failure, "errors") && Array.isArray(failure.errors)

/** Pointer in the file for a pointer in the request. */
const toFilePointer = (pointer: string): string => {
  if (pointer.startsWith("/manifest")) return pointer.slice("/manifest".length)
  return pointer.startsWith("/grants") ? "/permissions" : pointer
}

/** Adds the lines of the file to the errors of a request. */
const withLines =
  ({ path, text }: ManifestFile) =>
  (failure: Failure): Failure =>
    hasIssues(failure)
      ? new ManifestInvalid({
          lines: locate(
            path,
            text,
            failure.errors.map(({ message, pointer }) => ({ message, pointer: toFilePointer(pointer) }))
          )
        })
      : failure

/** Installs the plugin of a manifest, or replaces the manifest of its installation. */
export const applyManifest = Effect.fnUntraced(function* (
  tenant: Tenant,
  file: ManifestFile,
  settings: Settings | undefined
) {
  const { manifest } = file
  const common = { manifest, grants: manifest.permissions, ...(settings !== undefined && { settings }) }
  const installed = yield* findInstalled(tenant, manifest.key)
  const applied =
    installed === null
      ? tenant.plugins.install({ payload: common })
      : tenant.plugins.upgrade({ params: { id: installed.id }, headers: {}, payload: common })
  return { plugin: yield* Effect.mapError(applied, withLines(file)), isNew: installed === null }
})

/** Former credentials of an earlier session also work for this time, in seconds. */
const overlapSeconds = 600

type Credentials = Pick<PluginWithCredentials, "secret" | "token">

/** Credentials of the plugin. Without a lifecycle, an existing installation gets new ones. */
export const credentialsOf = Effect.fnUntraced(function* (
  { plugins }: Tenant,
  plugin: PluginWithCredentials,
  isNew: boolean
) {
  const own: Credentials = plugin
  if (isNew || plugin.token !== undefined || plugin.manifest.lifecycle !== undefined || plugin.status !== "enabled") {
    return own
  }
  const renewed: Credentials = yield* plugins.rotateSecret({ params: { id: plugin.id }, payload: { overlapSeconds } })
  return renewed
})

const linesOf = ({ secret, token }: Credentials): ReadonlyArray<string> => [
  ...(token === undefined ? [] : [`PARLEY_PLUGIN_TOKEN=${Redacted.value(token)}`]),
  ...(secret === undefined ? [] : [`PARLEY_PLUGIN_SECRET=${Redacted.value(secret)}`])
]

/** Prints the credentials once, or writes them to a file that no other user can read. */
export const supplyCredentials = Effect.fnUntraced(function* (
  { manifest }: PluginWithCredentials,
  credentials: Credentials,
  file: Option.Option<string>
) {
  const lines = linesOf(credentials)
  if (lines.length === 0) {
    const to = manifest.lifecycle === undefined ? "" : ` ${manifest.baseUrl}${manifest.lifecycle} receives the token.`
    return yield* Console.error(`No token to show.${to}`)
  }
  if (file._tag === "None") return yield* Effect.forEach(lines, (line) => Console.log(line), { discard: true })
  yield* writePrivately(file.value, `${lines.join("\n")}\n`)
  yield* Console.error(`The token is in ${file.value}.`)
})
