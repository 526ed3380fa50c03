import type { Settings } from "./settings.ts"

const isLoopback = (host: string) => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Whether other machines can reach the service, by its address or through a proxy. */
export const isExposed = ({
  baseUrl,
  host,
  trustedProxyHops
}: Pick<Settings, "baseUrl" | "host" | "trustedProxyHops">) =>
  !isLoopback(host.value) ||
  trustedProxyHops.value > 0 ||
  (baseUrl.value !== null && !isLoopback(new URL(baseUrl.value).hostname))
