import { Data, Effect } from "effect"
import * as Fs from "node:fs/promises"
import { dirname } from "node:path"
import { type Account, isRoot } from "./Account.ts"

/** What the system says of files that it does not give. */
export class FilesRefused extends Data.TaggedError("FilesRefused")<{
  readonly code: string
  readonly message: string
}> {}

/** Something done with files. */
export const withFiles = <A>(use: (fs: typeof Fs) => Promise<A>) =>
  Effect.tryPromise({
    try: () => use(Fs),
    catch: (cause) =>
      new FilesRefused({
        code: cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : "unknown",
        message: cause instanceof Error ? cause.message : String(cause)
      })
  })

/** Says whether the system refused for one of these reasons. */
export const refusedFor =
  (...codes: ReadonlyArray<string>) =>
  ({ code }: FilesRefused) =>
    codes.includes(code)

/** What is at this path, and not where a link leads; `null` where there is nothing. */
export const lookAt = (path: string) =>
  Effect.catchIf(
    withFiles((fs) => fs.lstat(path)),
    refusedFor("ENOENT", "ENOTDIR"),
    () => Effect.succeed(null)
  )

/** Gives a file or folder to somebody: the very one that was opened, whatever has taken its name since. */
export const giveTo = (path: string, account: Account) =>
  withFiles(async (fs) => {
    const handle = await fs.open(path, fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW)
    await handle.chown(account.uid, account.gid).finally(() => handle.close())
  })

/** A folder that belongs to this process's user, or to root, and that nobody else can write to: `null` if it is not one. */
export const isOurs = Effect.fnUntraced(function* (path: string) {
  const found = yield* lookAt(path)
  if (found === null || !found.isDirectory()) return false
  const owners = [0, process.geteuid?.() ?? 0]
  return process.platform === "win32" || (owners.includes(found.uid) && (found.mode & 0o022) === 0)
})

const ancestors = (path: string): ReadonlyArray<string> => {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...ancestors(parent)]
}

/** Whether somebody can go through this folder. */
const isOpenTo = (
  { gid, uid }: Account,
  folder: { readonly mode: number; readonly uid: number; readonly gid: number }
) => (folder.mode & (folder.uid === uid ? 0o100 : folder.gid === gid ? 0o010 : 0o001)) !== 0

/** Whether somebody can come as far as to this folder, by its real path. */
export const canReach = Effect.fnUntraced(function* (account: Account, path: string) {
  for (const folder of ancestors(path)) {
    if (!isOpenTo(account, yield* withFiles((fs) => fs.stat(folder)))) return false
  }
  return true
})

/** Opens a folder of root's, where it is closed, to whoever runs the server: they can go through it, and not look round. */
export const letThrough = Effect.fnUntraced(function* (account: Account, path: string) {
  const folder = yield* withFiles((fs) => fs.stat(path))
  if (isOpenTo(account, folder) || !isRoot) return
  yield* giveTo(path, { uid: folder.uid, gid: account.gid })
  yield* withFiles((fs) => fs.chmod(path, (folder.mode & 0o707) | 0o010))
})
