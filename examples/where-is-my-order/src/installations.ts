import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"

/** Data of the plugin about an organization that has installed it. */
export interface Installation {
  readonly token: string
  /** Every secret that may sign: the newest first. */
  readonly secrets: ReadonlyArray<string>
  readonly settings: { readonly question?: string }
}

/** A lifecycle call. Each contains only changed data. */
export interface LifecycleCall {
  readonly type: string
  readonly organizationId: string
  readonly token?: string
  readonly secret?: string
  readonly settings?: Installation["settings"]
}

/** The installations by organization, in a file that outlives the process. The file contains tokens, so only its owner can read it. */
export const openInstallations = (path: string) => {
  const read = (): Record<string, Installation> => {
    try {
      return JSON.parse(readFileSync(path, "utf8")) as Record<string, Installation>
    } catch {
      return {}
    }
  }
  const all = new Map(Object.entries(read()))
  const write = () => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(`${path}.new`, JSON.stringify(Object.fromEntries(all)), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }
  return {
    find: (organizationId: string): Installation | undefined => all.get(organizationId),
    /** Stores the contents of a call before it is answered, because an answered call is not repeated. */
    take: ({ organizationId, secret, settings, token, type }: LifecycleCall) => {
      if (type === "plugin.uninstalled") all.delete(organizationId)
      else {
        const before = all.get(organizationId) ?? { token: "", secrets: [], settings: {} }
        const former = before.secrets.filter((one) => one !== secret)
        all.set(organizationId, {
          token: token ?? before.token,
          secrets: (secret === undefined ? former : [secret, ...former]).slice(0, 2),
          settings: settings ?? before.settings
        })
      }
      write()
    }
  }
}
