import { readFileSync } from 'node:fs';

/** Clock ticks per second in /proc: USER_HZ, which is 100 on every Linux. */
const ticks = 100;

/** What a process used so far. */
export interface ProcessUse {
  /** Bytes. */
  readonly resident: number;
  /** Seconds of processor time. */
  readonly cpu: number;
}

/** Follows the memory and the processor time of a program, also when it is restarted. */
export class MeasuredProcess {
  readonly name: string;
  readonly #pid: () => number | undefined;
  #last: { readonly pid: number; readonly cpu: number } | undefined;
  /** Of processes that have ended. */
  #earlierCpu = 0;

  /** @param pid - the process that runs now */
  constructor(name: string, pid: () => number | undefined) {
    this.name = name;
    this.#pid = pid;
  }

  /** Returns what it uses. Undefined while it does not run. */
  read(): ProcessUse | undefined {
    const pid = this.#pid();
    if (pid === undefined) return undefined;
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      // Behind the name in brackets: state is field 3, utime 14 and stime 15.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const cpu = (Number(fields[11]) + Number(fields[12])) / ticks;
      const resident = Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
      if (this.#last !== undefined && this.#last.pid !== pid) this.#earlierCpu += this.#last.cpu;
      this.#last = { pid, cpu };
      return { resident, cpu: this.#earlierCpu + cpu };
    } catch {
      // It has just ended.
      return undefined;
    }
  }
}
