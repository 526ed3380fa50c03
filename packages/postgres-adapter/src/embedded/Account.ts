import { Config, Effect, Option } from "effect"
import { spawn, type SpawnOptions } from "node:child_process"
import { lstat } from "node:fs/promises"

/** A user of this machine. */
export interface Account {
  readonly uid: number
  readonly gid: number
}

/** How a program ended, and what it said. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** Whether this process is root's, as which PostgreSQL does not run. */
export const isRoot = process.geteuid?.() === 0

const systemRoot = Config.option(Config.String("SystemRoot"))

/** How a program of PostgreSQL is started: as its user, and with nothing of this process's surroundings. */
export const surroundings = Effect.fnUntraced(function* (account: Account | null) {
  // Windows finds its own libraries by it.
  const root = Option.getOrNull(yield* Effect.orElseSucceed(systemRoot, Option.none<string>))
  return {
    cwd: process.platform === "win32" ? process.cwd() : "/",
    env: { LC_ALL: "C", PATH: "/usr/bin:/bin", ...(root === null ? {} : { SystemRoot: root }) },
    windowsHide: true,
    ...account
  } satisfies SpawnOptions
})

/** Runs a program to its end. */
export const run = Effect.fnUntraced(function* (
  program: string,
  args: ReadonlyArray<string>,
  account: Account | null = null
) {
  const options = yield* surroundings(account)
  return yield* Effect.callback<Ended>((resume) => {
    const said = { out: "", err: "" }
    const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] })
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text))
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text))
    child.once("error", (error) => resume(Effect.succeed({ ...said, code: null, err: error.message })))
    child.once("close", (code) => resume(Effect.succeed({ ...said, code })))
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

/**
 * Who runs the server in the place of this process: nobody does, unless this is root. Root's stands for whoever owns one of
 * the paths, or else for a user who may do little.
 */
export const accountFor = Effect.fnUntraced(function* (paths: ReadonlyArray<string>) {
  if (!isRoot) return null
  for (const path of paths) {
    const owner = yield* ownerOf(path)
    if (owner !== null) return owner
  }
  return (yield* named("postgres")) ?? (yield* named("nobody")) ?? nobody
})
