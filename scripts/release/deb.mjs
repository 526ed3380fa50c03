// The Debian package: the folder with PostgreSQL, the units of systemd and the user of the service.
import { chmodSync, cpSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { report, run, sizeOf } from "./files.mjs"
import { epoch, manifest, out, root, version, work } from "./release.mjs"
import { buildTree } from "./tree.mjs"

const control = (kilobytes) => `Package: parley
Version: ${version}
Architecture: amd64
Maintainer: The maintainers of Parley <maintainers@parley.example>
Section: net
Priority: optional
Installed-Size: ${kilobytes}
Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6, libatomic1, systemd | systemd-standalone-sysusers
Description: ${manifest.description}
 Contains Node and PostgreSQL. The service parley.service is not started by the installation.
`

const copyright = `Parley has the licence MIT: /opt/parley/share/doc/LICENSE
Licences of the parts: /opt/parley/share/licenses/
`

export const buildDeb = () => {
  const name = `parley_${version}_amd64.deb`
  const stage = join(work, "deb")
  const folders = ["DEBIAN", "opt", "usr/bin", "usr/lib/systemd/system", "usr/lib/sysusers.d", "usr/share/doc/parley"]
  for (const folder of [...folders, "etc/parley/secrets"]) mkdirSync(join(stage, folder), { recursive: true })
  cpSync(buildTree({ hasPostgres: true }), join(stage, "opt/parley"), { recursive: true, verbatimSymlinks: true })
  symlinkSync("/opt/parley/bin/parley", join(stage, "usr/bin/parley"))
  const deploy = (file, place) => cpSync(join(root, "deploy", file), join(stage, place))
  for (const unit of ["parley.service", "parley-work@.service"]) {
    deploy(`systemd/${unit}`, `usr/lib/systemd/system/${unit}`)
  }
  deploy("systemd/parley.sysusers", "usr/lib/sysusers.d/parley.conf")
  deploy("systemd/parley.env", "etc/parley/parley.env")
  for (const script of ["postinst", "prerm", "conffiles"]) deploy(`debian/${script}`, `DEBIAN/${script}`)
  writeFileSync(join(stage, "usr/share/doc/parley/copyright"), copyright)
  writeFileSync(join(stage, "DEBIAN/control"), control(Math.ceil(sizeOf(stage) / 1024)))
  run("chmod", ["-R", "u+rwX,go+rX,go-w", stage])
  for (const script of ["postinst", "prerm"]) chmodSync(join(stage, "DEBIAN", script), 0o755)
  chmodSync(join(stage, "etc/parley/parley.env"), 0o600)
  chmodSync(join(stage, "etc/parley/secrets"), 0o700)
  run("find", [stage, "-exec", "touch", "--no-dereference", `--date=@${epoch}`, "{}", "+"])
  utimesSync(stage, epoch, epoch)
  run("dpkg-deb", ["--root-owner-group", "-Zzstd", "-z9", "-b", stage, join(out, name)])
  report(name, 60)
}
