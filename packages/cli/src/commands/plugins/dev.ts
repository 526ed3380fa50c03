import type { PluginId } from "@parley/domain/kernel"
import { Console, Deferred, Duration, Effect, FileSystem, Option, Path, Stream } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import type { Failure } from "../../console/Failure.ts"
import * as Flags from "../../console/flags.ts"
import type { Tenant } from "../../tenant/Tenant.ts"
import { inTenant } from "../../tenant/inTenant.ts"
import { followActivity } from "./devActivity.ts"
import { applyManifest, credentialsOf, supplyCredentials } from "./devInstallation.ts"
import { parseManifest, readManifestText } from "./manifestFile.ts"
import { settings } from "./plugin.ts"

/** An editor can write a file in several steps. */
const settleTime = Duration.millis(100)

/** Emits once at the start, and after each change of the file. Editors can replace the file, so the folder is watched. */
const changesOf = Effect.fnUntraced(function* (file: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const name = path.basename(file)
  const isReady = Deferred.makeUnsafe<void>()
  const onReady = () => void Deferred.doneUnsafe(isReady, Effect.void)
  const changes = fs.watch(path.dirname(path.resolve(file)), { onReady }).pipe(
    Stream.filter((event) => path.basename(event.path) === name),
    Stream.debounce(settleTime)
  )
  return Stream.merge(Stream.fromEffect(Deferred.await(isReady)), changes)
})

const printFailure = (failure: Failure) =>
  Effect.forEach(failure.message.split("\n"), (line) => Console.error(`parley: ${line}`), { discard: true })

const remove = Effect.fnUntraced(function* ({ plugins }: Tenant, id: PluginId) {
  yield* plugins.uninstall({ params: { id }, headers: {}, query: { force: "true" } })
  yield* Console.error(`The plugin ${id} is uninstalled.`)
})

interface Session {
  readonly tenant: Tenant
  readonly file: string
  readonly tokenFile: Option.Option<string>
  readonly settings: Parameters<typeof applyManifest>[2]
  readonly installed: Deferred.Deferred<PluginId>
}

/** Applies the current manifest. The first application supplies the credentials. */
const apply = Effect.fnUntraced(function* (session: Session, last: { text: string | null }) {
  const { file, installed, tenant, tokenFile } = session
  const text = yield* readManifestText(file)
  if (text === last.text) return
  last.text = text
  const isFirst = !(yield* Deferred.isDone(installed))
  const read = yield* parseManifest(file, text)
  const { isNew, plugin } = yield* applyManifest(tenant, read, isFirst ? session.settings : undefined)
  const verb = isNew ? "installed" : "updated"
  yield* Console.error(`${plugin.key} ${plugin.manifest.version} is ${verb} in ${tenant.name} (${plugin.status}).`)
  if (isFirst || plugin.token !== undefined) {
    yield* supplyCredentials(plugin, yield* credentialsOf(tenant, plugin, isNew), tokenFile)
  }
  yield* Deferred.succeed(installed, plugin.id)
})

/** Applies each version of the manifest. An error is printed, and the next version is applied. */
const applyEach = Effect.fnUntraced(function* (session: Session) {
  const last = { text: null }
  yield* Stream.runForEach(yield* changesOf(session.file), () => Effect.catch(apply(session, last), printFailure))
})

export const devCommand = Command.make(
  "dev",
  {
    org: Flags.org,
    manifest: Argument.String("manifest").pipe(Argument.withDescription("JSON manifest of the plugin")),
    tokenFile: Flag.String("token-file").pipe(
      Flag.withMetavar("file"),
      Flag.withDescription("File for the token and the secret (default: print them)"),
      Flag.optional
    ),
    settings,
    remove: Flag.Boolean("remove").pipe(
      Flag.withDescription("Uninstall the plugin at the end"),
      Flag.withDefault(false)
    )
  },
  Effect.fn(function* ({ manifest: file, org, remove: isRemoved, settings, tokenFile }) {
    yield* inTenant(
      org,
      Effect.fnUntraced(function* (tenant) {
        const installed = yield* Deferred.make<PluginId>()
        const session: Session = { tenant, file, tokenFile, settings: Option.getOrUndefined(settings), installed }
        const follow = Effect.flatMap(Deferred.await(installed), (id) => followActivity(tenant, id))
        const end = Effect.gen(function* () {
          if (isRemoved && (yield* Deferred.isDone(installed))) yield* remove(tenant, yield* Deferred.await(installed))
        })
        yield* Effect.all([applyEach(session), follow], { concurrency: "unbounded", discard: true }).pipe(
          Effect.onExit(() => Effect.catch(end, printFailure))
        )
      })
    )
  })
).pipe(
  Command.withDescription("Install a plugin from a local manifest, apply each change of it, and follow its calls"),
  Command.withExamples([
    { command: "parley plugins dev plugin.json --org acme --token-file .env.plugin" },
    { command: "parley plugins dev plugin.json --remove" }
  ])
)
