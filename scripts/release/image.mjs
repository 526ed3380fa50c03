// The OCI image: Debian's libraries, Node and the bundle. The layout is written without a container engine.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzip, megabytes, report, run, sha256, sizeOf, tar } from "./files.mjs"
import { epoch, out, version, work } from "./release.mjs"
import { buildTree } from "./tree.mjs"

const packages = ["base-files", "libc6", "libstdc++6", "libgcc-s1", "libatomic1", "tzdata", "netbase"]
const keyring = "/usr/share/keyrings/debian-archive-keyring.gpg"
const user = "10001"

/** The libraries. The SBOM lists their packages. */
export const rootfs = join(work, "rootfs")

const unused = [
  "usr/share/man",
  "usr/share/locale",
  "usr/share/perl5",
  "usr/share/debconf",
  // Conversions of character sets. Node has its own.
  "usr/lib/x86_64-linux-gnu/gconv",
  "var/cache",
  "var/log"
]

/** Lists the packages in dpkg/status for scanners. The variant `extract` only unpacks them. */
const recordPackages = `for deb in "$1"/var/cache/apt/archives/*.deb; do
  dpkg-deb -f "$deb" | sed '1a Status: install ok installed'
  echo
done > "$1/var/lib/dpkg/status"`

const buildRootfs = () => {
  const archive = join(work, "rootfs.tar")
  const options = [
    "-q",
    "--variant=extract",
    "--mode=root",
    `--include=${packages.join(",")}`,
    `--keyring=${keyring}`,
    `--extract-hook=${recordPackages}`
  ]
  run("mmdebstrap", [...options, "trixie", archive], { stdio: ["ignore", "ignore", "inherit"] })
  mkdirSync(rootfs, { recursive: true })
  run("tar", ["-xf", archive, "--exclude=./dev/*", "-C", rootfs])
  for (const path of unused) rmSync(join(rootfs, path), { recursive: true, force: true })
  // The image has no package manager and no shell.
  for (const path of ["var/lib/dpkg/info", "var/lib/apt", "etc/apt"])
    rmSync(join(rootfs, path), { recursive: true, force: true })
  // The copyright files stay.
  for (const name of readdirSync(join(rootfs, "usr/share/doc"))) {
    for (const file of readdirSync(join(rootfs, "usr/share/doc", name))) {
      if (file !== "copyright") rmSync(join(rootfs, "usr/share/doc", name, file), { recursive: true, force: true })
    }
  }
  const accounts = `root:x:0:0:root:/root:/sbin/nologin\nparley:x:${user}:${user}:Parley:/nonexistent:/sbin/nologin\n`
  writeFileSync(join(rootfs, "etc/passwd"), accounts)
  writeFileSync(join(rootfs, "etc/group"), `root:x:0:\nparley:x:${user}:\n`)
}

const writeBlob = (layout, bytes) => {
  const digest = sha256(bytes)
  writeFileSync(join(layout, "blobs/sha256", digest), bytes)
  return { digest: `sha256:${digest}`, size: bytes.length }
}

/** A layer, with the hash of its tar for the configuration. */
const layerOf = (layout, archive) => {
  const diffId = `sha256:${sha256(readFileSync(archive))}`
  const mediaType = "application/vnd.oci.image.layer.v1.tar+gzip"
  return { diffId, descriptor: { mediaType, ...writeBlob(layout, gzip(archive)) } }
}

const appLayer = (layout) => {
  const stage = join(work, "app")
  mkdirSync(join(stage, "opt"), { recursive: true })
  mkdirSync(join(stage, "var/lib/parley"), { recursive: true })
  cpSync(buildTree({ hasPostgres: false }), join(stage, "opt/parley"), { recursive: true, verbatimSymlinks: true })
  // Without a shell, the launcher cannot run.
  rmSync(join(stage, "opt/parley/bin/parley"))
  const archive = join(work, "app.tar")
  tar(archive, stage, "opt")
  const own = [`--owner=${user}`, `--group=${user}`, "--mode=0700", `--mtime=@${epoch}`]
  run("tar", [
    "--format=gnu",
    "--numeric-owner",
    ...own,
    "--no-recursion",
    "-rf",
    archive,
    "-C",
    stage,
    "var/lib/parley"
  ])
  return layerOf(layout, archive)
}

const program = ["/opt/parley/bin/node", "/opt/parley/lib/parley/parley.js"]
const created = new Date(epoch * 1000).toISOString()

const settings = {
  User: `${user}:${user}`,
  ExposedPorts: { "8787/tcp": {} },
  Env: ["NODE_ENV=production", "PARLEY_HOST=0.0.0.0", "PARLEY_DATA_DIR=/var/lib/parley"],
  Entrypoint: program,
  Cmd: ["serve"],
  WorkingDir: "/",
  StopSignal: "SIGTERM",
  // An extension of Docker, in nanoseconds.
  Healthcheck: { Test: ["CMD", ...program, "ready"], Interval: 10e9, Timeout: 5e9, StartPeriod: 30e9, Retries: 3 },
  Labels: {
    "org.opencontainers.image.title": "Parley",
    "org.opencontainers.image.licenses": "MIT",
    "org.opencontainers.image.version": version
  }
}

export const buildImage = () => {
  const layout = join(work, "oci")
  mkdirSync(join(layout, "blobs/sha256"), { recursive: true })
  buildRootfs()
  const base = join(work, "rootfs-layer.tar")
  tar(base, rootfs, ".")
  const layers = [layerOf(layout, base), appLayer(layout)]
  const config = {
    created,
    architecture: "amd64",
    os: "linux",
    config: settings,
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(() => ({ created }))
  }
  const manifest = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.manifest.v1+json",
    config: {
      mediaType: "application/vnd.oci.image.config.v1+json",
      ...writeBlob(layout, Buffer.from(JSON.stringify(config)))
    },
    layers: layers.map(({ descriptor }) => descriptor)
  }
  const index = {
    schemaVersion: 2,
    mediaType: "application/vnd.oci.image.index.v1+json",
    manifests: [
      {
        mediaType: manifest.mediaType,
        ...writeBlob(layout, Buffer.from(JSON.stringify(manifest))),
        platform: { architecture: "amd64", os: "linux" },
        annotations: { "org.opencontainers.image.ref.name": version }
      }
    ]
  }
  writeFileSync(join(layout, "index.json"), JSON.stringify(index))
  writeFileSync(join(layout, "oci-layout"), JSON.stringify({ imageLayoutVersion: "1.0.0" }))
  const name = `parley-${version}-oci.tar`
  tar(join(out, name), layout, ".")
  const unpacked = sizeOf(rootfs) + sizeOf(join(work, "app"))
  process.stdout.write(`${name} unpacked: ${megabytes(unpacked)} of 145 MB\n`)
  if (unpacked > 145e6) throw new Error(`${name} exceeds its budget of 145 MB unpacked.`)
  report(name, 55)
}
