import type { Settings } from "./settings.ts"

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

const inUrl = (host: string) => (host.includes(":") ? `[${host}]` : host)

/** The address under which the service is reached, without a slash at its end. */
export const addressOf = ({ baseUrl, host, port }: Settings) =>
  baseUrl.value ?? `http://${wildcards.has(host.value) ? "localhost" : inUrl(host.value)}:${port.value}`
