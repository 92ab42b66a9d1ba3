/** The directives of systemd that the unit may use, by section. */
const directives: Record<string, string> = {
  Unit: 'Description Documentation Wants After StartLimitIntervalSec StartLimitBurst',
  Service: `Type ExecStart WorkingDirectory User Group ReadWritePaths StateDirectory StateDirectoryMode UMask Restart RestartSec
    TimeoutStopSec LimitNOFILE Environment EnvironmentFile LoadCredential NoNewPrivileges CapabilityBoundingSet
    AmbientCapabilities ProtectSystem ProtectHome ProtectProc ProtectClock ProtectControlGroups ProtectHostname
    ProtectKernelLogs ProtectKernelModules ProtectKernelTunables PrivateDevices PrivateTmp PrivateUsers LockPersonality
    RemoveIPC RestrictAddressFamilies RestrictNamespaces RestrictRealtime RestrictSUIDSGID SystemCallArchitectures
    SystemCallErrorNumber SystemCallFilter`,
  Install: 'WantedBy',
}

/** The lines of a systemd unit that systemd would ignore or refuse. */
export function unitFaults(text: string): string[] {
  let section = ''
  return text.split('\n').flatMap((line, index) => {
    const fault = (reason: string) => [`${index + 1}: ${reason}`]
    if (line === '' || line.startsWith('#')) return []
    const header = /^\[(\w+)\]$/.exec(line)?.[1]
    if (header !== undefined) {
      section = header
      return header in directives ? [] : fault(`there is no section [${header}]`)
    }
    const name = /^([A-Z]\w+)=(?! ).*(?<! )$/.exec(line)?.[1]
    if (name === undefined) return fault('not a directive')
    const known = directives[section]?.split(/\s+/).includes(name)
    return known ? [] : fault(`${name} is no directive of [${section}]`)
  })
}
