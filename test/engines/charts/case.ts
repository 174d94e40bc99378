/** A request to the Go program of this folder; see main.go. */
export interface TemplateCase {
  readonly templates: readonly NamedText[];
  readonly execute: string;
  readonly missingKey?: 'default' | 'zero' | 'error';
  readonly data?: unknown;
}

/** A chart that Helm's engine renders. */
export interface ChartCase {
  readonly chart: {
    readonly name: string;
    readonly templates: readonly NamedText[];
    readonly files: Readonly<Record<string, string>>;
    readonly values: Readonly<Record<string, unknown>>;
    readonly strict: boolean;
    readonly release: string;
    readonly namespace: string;
    readonly kubeVersion: string;
  };
}

export interface NamedText {
  readonly name: string;
  readonly text: string;
}

/** What an engine makes of a case. */
export interface Answer {
  readonly output?: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly error?: string;
}

/** A case with the answer of the Go program. */
export interface RecordedCase<Request> {
  readonly request: Request;
  readonly answer: Answer;
}
