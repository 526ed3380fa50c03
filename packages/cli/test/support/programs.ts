import { Config, Effect } from "effect"
import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"

const path = Effect.runSync(Config.String("PATH").pipe(Config.withDefault("")))

/** The place of a program of this machine, or `null`. Daemons can be outside of the `PATH`. */
export const programNamed = (name: string): string | null =>
  [...path.split(":"), "/usr/sbin"].map((folder) => `${folder}/${name}`).find((file) => existsSync(file)) ?? null

/** Runs a program, with its folder as the home folder. Returns its output, or fails with it. */
export const runProgram = (file: string, args: ReadonlyArray<string>, cwd: string): string =>
  execFileSync(file, args, { cwd, encoding: "utf8", env: { HOME: cwd, PATH: path }, stdio: "pipe", timeout: 30_000 })
