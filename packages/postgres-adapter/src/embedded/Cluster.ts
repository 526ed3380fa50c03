import { Effect } from "effect"
import { randomBytes, randomUUID } from "node:crypto"
import { join, resolve } from "node:path"
import { type Account, accountFor, isRoot, run } from "./Account.ts"
import { type Binaries, findBinaries, sharedPlace } from "./Binaries.ts"
import { EmbeddedFolderUnusable } from "./Errors.ts"
import { canReach, giveTo, letThrough, lookAt, refusedFor, withFiles } from "./files.ts"

/** The PostgreSQL binaries and the data folder. */
export interface EmbeddedOptions {
  readonly directory: string
  /** For tests: data does not survive a machine crash, and the server listens on a loopback address. */
  readonly isThrowaway?: boolean
  /** Folder of a package of binaries, in place of the installed one. */
  readonly binaries?: string | null
}

/** Data folder of a PostgreSQL, with its account and its password. */
export interface Cluster {
  readonly directory: string
  readonly folder: string
  readonly data: string
  readonly account: Account | null
  readonly binaries: Binaries
  readonly password: string
  readonly isThrowaway: boolean
}

/** The superuser, which is the only user at first. */
export const user = "parley"

/** The database that contains all data. */
export const database = "postgres"

/** Password file in the format of `psql` and other programs. */
export const passwordFile = (folder: string) => join(folder, "password")

const locales: Partial<Record<NodeJS.Platform, ReadonlyArray<string>>> = {
  darwin: ["--locale=en_US.UTF-8"],
  linux: ["--locale=C.UTF-8"]
}

/** Texts are sorted by code point on every machine. Letters of every script count as letters. */
const localeArguments = (major: number) => [
  ...(major < 17 ? [] : ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]),
  ...(locales[process.platform] ?? [])
]

const initialize = Effect.fnUntraced(function* (
  draft: string,
  { account, binaries, isThrowaway, password }: Pick<Cluster, "account" | "binaries" | "isThrowaway" | "password">
) {
  const data = join(draft, "data")
  const spoken = join(draft, "spoken")
  yield* withFiles(async (fs) => {
    await fs.mkdir(data, { mode: 0o700 })
    await fs.writeFile(passwordFile(draft), `*:*:*:${user}:${password}\n`, { flag: "wx", mode: 0o600 })
    await fs.writeFile(spoken, password, { flag: "wx", mode: 0o600 })
  })
  if (account !== null) {
    yield* letThrough(account, draft)
    yield* giveTo(data, account)
    yield* giveTo(spoken, account)
  }
  const { code, err, out } = yield* run(
    binaries.program("initdb"),
    [
      `--pgdata=${data}`,
      `--username=${user}`,
      `--pwfile=${spoken}`,
      "--auth=scram-sha-256",
      "--encoding=UTF8",
      ...localeArguments(binaries.major),
      "--no-instructions",
      ...(isThrowaway ? ["--no-sync"] : [])
    ],
    account
  )
  yield* withFiles((fs) => fs.rm(spoken, { force: true }))
  return code === 0 ? null : (err.trim() === "" ? out : err).trim().replaceAll(/\s*\n\s*/g, " ")
})

/** Moves a new folder to its name. Of several concurrent creators, the first one wins. */
const keepFirst = (give: ReturnType<typeof withFiles<void>>) =>
  Effect.catchIf(Effect.as(give, true), refusedFor("EEXIST", "ENOTEMPTY", "EPERM"), () => Effect.succeed(false))

/** Creates the data in a temporary folder and moves it to its place when it is complete. */
const create = Effect.fnUntraced(function* (
  directory: string,
  made: Pick<Cluster, "account" | "binaries" | "isThrowaway">
) {
  const { account } = made
  const link = join(directory, "database")
  const isReachable = account === null || (yield* canReach(account, directory))
  const place = isReachable ? directory : sharedPlace
  if (!isReachable) yield* withFiles((fs) => fs.mkdir(place, { recursive: true, mode: 0o755 }))
  else if (account !== null) yield* letThrough(account, directory)
  const draft = join(place, `database.${randomUUID()}`)
  const draftsEnd = Effect.ignore(withFiles((fs) => fs.rm(draft, { recursive: true, force: true })))
  yield* withFiles((fs) => fs.mkdir(draft, { mode: 0o700 }))
  const problem = yield* initialize(draft, { ...made, password: randomBytes(24).toString("hex") }).pipe(
    Effect.onError(() => draftsEnd)
  )
  const isKept =
    problem === null &&
    (yield* keepFirst(withFiles((fs) => (isReachable ? fs.rename(draft, link) : fs.symlink(draft, link)))).pipe(
      Effect.onError(() => draftsEnd)
    ))
  if (!isKept) yield* draftsEnd
  return problem
})

const ofEarlierVersions =
  "it has a database of an earlier version of Parley in its folder postgres/, which ran inside of the process (PGlite) and cannot be opened by a server. Its data is older than release 0.2.0. Move the folder aside and start with a new one."

/** Opens the data in this folder. Creates it if it is missing. */
export const openCluster = Effect.fnUntraced(
  function* ({ binaries: given = null, directory: named, isThrowaway = false }: EmbeddedOptions) {
    const directory = resolve(named)
    const unusable = (reason: string) => new EmbeddedFolderUnusable({ directory, reason })
    yield* withFiles((fs) => fs.mkdir(directory, { recursive: true, mode: 0o700 }))
    const real = yield* withFiles((fs) => fs.realpath(directory))
    const link = join(real, "database")
    const isNew = (yield* lookAt(link)) === null
    if (isNew && (yield* lookAt(join(real, "postgres/PG_VERSION"))) !== null) return yield* unusable(ofEarlierVersions)
    const account = yield* accountFor([join(link, "data"), real])
    const binaries = yield* findBinaries(account, join(real, "binaries"), given)
    if (isNew) {
      const problem = yield* create(real, { account, binaries, isThrowaway })
      if (problem !== null) return yield* unusable(`PostgreSQL cannot make its data there. ${problem}`)
    }
    const folder = yield* withFiles((fs) => fs.realpath(link))
    const data = join(folder, "data")
    const owner = yield* withFiles((fs) => fs.lstat(data))
    if (!isRoot && process.platform !== "win32" && owner.uid !== process.geteuid?.()) {
      return yield* unusable("it belongs to another user of this machine. Run Parley as that user.")
    }
    const version = yield* withFiles((fs) => fs.readFile(join(data, "PG_VERSION"), "utf8"))
    if (Number(version) !== binaries.major) {
      return yield* unusable(
        `its data was made by PostgreSQL ${version.trim()}, and this is PostgreSQL ${binaries.major}. Start the version of Parley that made it, take a dump (pg_dump), and restore that into a new folder.`
      )
    }
    const line = yield* withFiles((fs) => fs.readFile(passwordFile(folder), "utf8"))
    const password = line.trim().split(":").at(-1) ?? ""
    return { directory, folder, data, account, binaries, password, isThrowaway } satisfies Cluster
  },
  (effect, { directory }) =>
    Effect.catchTag(effect, "FilesRefused", ({ message }) =>
      Effect.fail(new EmbeddedFolderUnusable({ directory: resolve(directory), reason: `${message}.` }))
    )
)
