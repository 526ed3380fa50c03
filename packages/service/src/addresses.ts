import { isExposed } from "./isExposed.ts"
import type { Settings } from "./settings.ts"

const wildcards: ReadonlySet<string> = new Set(["0.0.0.0", "::"])

const inUrl = (host: string) => (host.includes(":") ? `[${host}]` : host)

/** The address under which the service is reached, without a slash at its end. */
export const addressOf = ({ baseUrl, host, port }: Settings) =>
  baseUrl.value ?? `http://${wildcards.has(host.value) ? "localhost" : inUrl(host.value)}:${port.value}`

/** The address of the documentation site. */
export const docsUrlOf = (settings: Settings) => settings.docsUrl.value ?? `${addressOf(settings)}/docs`

/** Where the metrics are served, if that is an address of their own. */
export const metricsAddressOf = ({ metricsHost, metricsPort }: Settings) =>
  metricsPort.value === null ? null : { host: metricsHost.value, port: metricsPort.value }

/** Whether the API port would expose the metrics to other machines. It hides them then. */
export const withholdsMetrics = (settings: Settings) =>
  settings.metricsPort.value === null && settings.metricsToken.value === null && isExposed(settings)

/** Address of the metrics: a separate address, the API port (`null`), or none on this server. */
export const metricsPlaceOf = (settings: Settings) =>
  withholdsMetrics(settings) ? ("elsewhere" as const) : metricsAddressOf(settings)
