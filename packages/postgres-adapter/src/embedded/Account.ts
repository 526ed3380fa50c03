import { Config, Effect, Option } from "effect"
import { spawn, type SpawnOptions } from "node:child_process"
import { lstat } from "node:fs/promises"

/** A user of this machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** Result of a program: its exit and its output. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Whether this process runs as root. PostgreSQL does not run as root. */
export const isRoot = process.geteuid?.() === 0

const systemRoot = Config.option(Config.String("SystemRoot"))

/** Spawn options of a PostgreSQL program: its user, and none of this process's environment. */
export const surroundings = Effect.fnUntraced(function* (account: Account | null) {
  // Windows needs it to find its own libraries.
  const root = Option.getOrNull(yield* Effect.orElseSucceed(systemRoot, Option.none<string>))
  return {
    cwd: process.platform === "win32" ? process.cwd() : "/",
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin", ...(root === null ? {} : { SystemRoot: root }) },
    windowsHide: true,
    ...account
  } satisfies SpawnOptions
})

/** Runs a program and waits for its end. */
export const run = Effect.fnUntraced(function* (
  program: string,
  args: ReadonlyArray<string>,
  account: Account | null = null
) {
  const options = yield* surroundings(account)
  return yield* Effect.callback<Ended>((resume) => {
    const output = { out: "", err: "" }
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.err += text))
    child.once("error", (error) => resume(Effect.succeed({ ...output, code: null, err: error.message })))
    child.once("close", (code) => resume(Effect.succeed({ ...output, code })))
    return Effect.sync(() => child.kill("SIGKILL"))
  })
})

const idOf = (flag: string, name: string) =>
  Effect.map(run("id", [flag, name]), ({ code, out }) => (code === 0 ? Number(out) : null))

const named = Effect.fnUntraced(function* (name: string) {
  const [uid, gid] = yield* Effect.all([idOf("-u", name), idOf("-g", name)])
  return uid === null || gid === null ? null : { uid, gid }
})

const ownerOf = (path: string) =>
  Effect.promise(() =>
    lstat(path).then(
      ({ gid, uid }) => (uid === 0 ? null : { uid, gid }),
      () => null
    )
  )

const nobody: Account = { uid: 65_534, gid: 65_534 }

/** Account of the server if this process is root; null otherwise. Root uses the owner of one of the paths, or else an unprivileged user. */
export const accountFor = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  if (!isRoot) return null
  for (const path of paths) {
    const owner = yield* ownerOf(path)
    if (owner !== null) return owner
  }
  return (yield* named("postgres")) ?? (yield* named("nobody")) ?? nobody
})
