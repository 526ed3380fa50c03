// Starts Caddy and nginx with the configurations of deploy/proxies in front of nodes on this machine.
import { spawnSync } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { env } from "node:process"
import { freePort, start } from "../../.ci/checks.mjs"

const configuration = (name) => readFileSync(join(import.meta.dirname, "../proxies", name), "utf8")

/** Certificates stay in the folder, and the trust store of the machine stays as it is. */
const caddyfile = (folder) =>
  configuration("Caddyfile").replace(
    "grace_period 10s",
    `grace_period 1s\n\tadmin off\n\tskip_install_trust\n\tauto_https disable_redirects\n\tstorage file_system ${folder}/certificates`
  )

const startCaddy = async (folder, nodes) => {
  const port = await freePort()
  const file = join(folder, "Caddyfile")
  writeFileSync(file, caddyfile(folder))
  const variables = { DOMAIN: `localhost:${port}`, NODES: nodes.map((node) => `127.0.0.1:${node}`).join(" ") }
  const process = start("caddy", ["run", "--adapter", "caddyfile", "--config", file], {
    env: { HOME: folder, PATH: env.PATH, ...variables }
  })
  return { port, process }
}

const certificate = (folder) => {
  const file = join(folder, "certificate.pem")
  const args = [
    "req",
    "-x509",
    "-newkey",
    "rsa:2048",
    "-nodes",
    "-subj",
    "/CN=localhost",
    "-keyout",
    file,
    "-out",
    file
  ]
  const { status, stderr } = spawnSync("openssl", args, { encoding: "utf8" })
  if (status !== 0) throw new Error(stderr)
  return file
}

const startNginx = async (folder, nodes) => {
  const port = await freePort()
  const keys = certificate(folder)
  const site = configuration("nginx.conf")
    .replaceAll(/(?<=ssl_certificate(?:_key)? ).+(?=;)/gu, keys)
    .replace("listen 443", `listen 127.0.0.1:${port}`)
    .replace("127.0.0.1:8787", `127.0.0.1:${nodes[0]}`)
    .replace("127.0.0.1:8788", `127.0.0.1:${nodes[1]}`)
  const kinds = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
  const temporary = kinds.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(" ")
  const main = `daemon off; pid ${folder}/pid; error_log stderr warn; events {} http { access_log off; ${temporary} ${site} }`
  writeFileSync(join(folder, "nginx.conf"), main)
  return {
    port,
    process: start("nginx", ["-p", folder, "-c", join(folder, "nginx.conf")], { env: { PATH: env.PATH } })
  }
}

/** Returns the port and the process of the proxy. */
export const startProxy = (name, folder, nodes) => {
  mkdirSync(join(folder, name))
  const launch = name === "caddy" ? startCaddy : startNginx
  return launch(join(folder, name), nodes)
}
