// The bill of materials of all artefacts, in the format CycloneDX 1.7.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundled } from "./cli.mjs"
import { report, sha256 } from "./files.mjs"
import { rootfs } from "./image.mjs"
import { epoch, out, readJson, version } from "./release.mjs"
import { nodeVersion, postgresPackage } from "./tree.mjs"

/** Libraries in the package of PostgreSQL. Its files do not declare their versions in one format. */
const libraries = [
  { files: /^lib(?:crypto|ssl)\./u, name: "openssl", version: "1.1.1", license: "OpenSSL" },
  { files: /^libicu/u, name: "icu", version: "60.2", license: "ICU" },
  { files: /^libxml2\./u, name: "libxml2", version: "2.9.4", license: "MIT" },
  { files: /^libxslt\./u, name: "libxslt", version: "1.1.29", license: "MIT" },
  { files: /^libz\./u, name: "zlib", version: "1.2.11", license: "Zlib" },
  { files: /^liblzma\./u, name: "xz", version: "5.2.2", license: "0BSD" },
  { files: /^libossp-uuid\./u, name: "ossp-uuid", version: "1.6.2", license: "MIT" }
]

const component = ({ hasSpdxId = true, license, name, purl, type = "library", version }) => ({
  type,
  "bom-ref": purl,
  name,
  version,
  licenses: [{ license: hasSpdxId ? { id: license } : { name: license } }],
  purl
})

const npm = () =>
  readJson(bundled, "components.json").map((each) =>
    component({ ...each, purl: `pkg:npm/${each.name.replace("@", "%40")}@${each.version}` })
  )

const postgres = () => {
  const source = postgresPackage()
  const { version } = readJson(source, "package.json")
  const number = version.split("-")[0].replace(/\.0$/u, "")
  const ours = /^lib(?:pq|ecpg|ecpg_compat|pgtypes|pgcommon|pgfeutils|pgport)/u
  const files = readdirSync(join(source, "native/lib")).filter((file) => file.includes(".so") && !ours.test(file))
  const unlisted = files.filter((file) => libraries.every(({ files }) => !files.test(file)))
  if (unlisted.length > 0) throw new Error(`Add these libraries of PostgreSQL to sbom.mjs: ${unlisted.join(", ")}.`)
  return [
    component({ name: "postgresql", version: number, license: "PostgreSQL", purl: `pkg:generic/postgresql@${number}` }),
    ...libraries.map((each) => component({ ...each, purl: `pkg:generic/${each.name}@${each.version}` }))
  ]
}

/** Licences of a Debian package, from its copyright file. */
const debianLicence = (name) => {
  const file = join(rootfs, "usr/share/doc", name, "copyright")
  if (!existsSync(file)) return "see the copyright file of its source package"
  const names = Array.from(readFileSync(file, "utf8").matchAll(/^License:\s*(\S.*)$/gmu), ([, found]) => found.trim())
  return names.length === 0 ? `see /usr/share/doc/${name}/copyright` : [...new Set(names)].join(" AND ")
}

const debian = () =>
  readFileSync(join(rootfs, "var/lib/dpkg/status"), "utf8")
    .split("\n\n")
    .filter((entry) => entry.trim() !== "")
    .map((entry) => {
      const field = (name) => new RegExp(`^${name}: (.*)$`, "mu").exec(entry)[1]
      const [name, version] = [field("Package"), field("Version")]
      const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?distro=trixie`
      return component({ name, version, license: debianLicence(name), hasSpdxId: false, purl })
    })

export const buildSbom = () => {
  const node = component({
    type: "platform",
    name: "node",
    version: nodeVersion(),
    license: "MIT",
    purl: `pkg:generic/node@${nodeVersion()}`
  })
  const components = [node, ...postgres(), ...npm(), ...debian()]
  const hash = sha256(JSON.stringify(components))
  const serial = `${hash.slice(0, 8)}-${hash.slice(8, 12)}-5${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`
  const document = {
    bomFormat: "CycloneDX",
    specVersion: "1.7",
    serialNumber: `urn:uuid:${serial}`,
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString(),
      component: { type: "application", "bom-ref": "parley", name: "parley", version }
    },
    components
  }
  const name = `parley-${version}.cdx.json`
  writeFileSync(join(out, name), `${JSON.stringify(document, null, 2)}\n`)
  process.stdout.write(`${name}: ${components.length} components\n`)
  report(name)
}
