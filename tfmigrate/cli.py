"""The command line: options into plain data, a command, an exit code. Nothing heavy is imported before it
is needed.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from tfmigrate import __version__
from tfmigrate.codemod import Target
from tfmigrate.commands.request import CatalogueFormat, Checks, Format, Output, Scope
from tfmigrate.console import ColorMode, Console
from tfmigrate.exits import CannotVerify, Exit, UsageError
from tfmigrate.options import grouped

app = typer.Typer(
    name="tfmigrate",
    help="Rewrite TensorFlow code to run correctly as a graph, and prove each rewrite by running it.",
    epilog="Exit codes: 0 nothing to do, done or proved; 1 diff would change something, or verification"
    " found a difference; 2 usage; 3 a file that cannot be read, parsed or written, or an internal error;"
    " 4 nothing verified.",
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Strings = list[str] | None

PathsArgument = Annotated[
    list[str],
    typer.Argument(metavar="PATH", help="Files and folders; - for standard input.", show_default=False),
]
UndoPathsArgument = Annotated[
    Strings,
    typer.Argument(metavar="PATH", help="Only these files and folders of the apply.", show_default=False),
]
VerifyPathsArgument = Annotated[
    Strings, typer.Argument(metavar="PATH", help="Files and folders.", show_default=False)
]
SelectOption = Annotated[
    Strings,
    typer.Option("--select", metavar="CODE", help="Only these codes, prefixes or names; ALL for all."),
]
IgnoreOption = Annotated[
    Strings, typer.Option("--ignore", metavar="CODE", help="Not these codes, prefixes or names.")
]
TargetOption = Annotated[
    Target | None,
    typer.Option("--target", help="The Keras to be right on; both unless configured.", show_default=False),
]
UnsafeOption = Annotated[
    bool | None,
    typer.Option(
        "--unsafe/--no-unsafe", help="Make rewrites that can change behaviour too.", show_default=False
    ),
]
UnrolledOption = Annotated[
    int | None,
    typer.Option(
        "--unrolled",
        min=1,
        metavar="N",
        help="Make loops of N turns or more that Python unrolls part of the graph.",
        show_default=False,
    ),
]
TracedOption = Annotated[
    Strings,
    typer.Option(
        "--traced",
        metavar="PATTERN",
        help="Functions that run in a graph though no code shows it: a name, module:name, or with *.",
    ),
]
RecordingOption = Annotated[
    Path | None,
    typer.Option(
        "--recording",
        metavar="FILE",
        help="What the program was seen to call: for input signatures, and to verify with.",
    ),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline", metavar="FILE", help="Do not show, count or rewrite the old findings that it lists."
    ),
]
WriteBaselineOption = Annotated[
    Path | None,
    typer.Option("--write-baseline", metavar="FILE", help="Write all findings there as old ones, and end."),
]
ExcludeOption = Annotated[
    Strings,
    typer.Option("--exclude", metavar="PATTERN", help="Leave out more files (patterns as in .gitignore)."),
]
ForceExcludeOption = Annotated[
    bool | None,
    typer.Option(
        "--force-exclude/--no-force-exclude",
        help="Exclude files that are named as PATH, too.",
        show_default=False,
    ),
]
JobsOption = Annotated[
    int | None,
    typer.Option("--jobs", "-j", min=0, metavar="N", help="Processes; 0 for one per processor."),
]
ConfigOption = Annotated[
    Path | None, typer.Option("--config", metavar="FILE", help="Read [tool.tfmigrate] of this file.")
]
IsolatedOption = Annotated[bool, typer.Option("--isolated", help="Read no configuration file.")]
NoJournalOption = Annotated[
    bool, typer.Option("--no-journal", help="Keep nothing in .tfmigrate to undo and verify this from.")
]
NoCacheOption = Annotated[bool, typer.Option("--no-cache", help="Use and keep nothing from run to run.")]
StdinOption = Annotated[
    str | None,
    typer.Option("--stdin-filename", metavar="PATH", help="The file that standard input stands for."),
]
FormatOption = Annotated[Format, typer.Option("--format", help="How the result is printed.")]
CatalogueFormatOption = Annotated[CatalogueFormat, typer.Option("--format", help="How it is printed.")]
OutputFileOption = Annotated[
    Path | None,
    typer.Option("--output-file", metavar="FILE", help="Write the result there, not to standard output."),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="FILE", help="Also write a page for a browser: report.html."),
]
QuietOption = Annotated[
    int, typer.Option("--quiet", "-q", count=True, help="Only errors; -qq nothing.", show_default=False)
]
VerboseOption = Annotated[
    int, typer.Option("--verbose", "-v", count=True, help="Say what was decided.", show_default=False)
]
ColorOption = Annotated[ColorMode, typer.Option("--color", help="Colours; auto: on a terminal.")]
VerifyOption = Annotated[
    bool, typer.Option("--verify", help="Run the code before and after, and drop what differs.")
]
KerasOption = Annotated[
    Strings, typer.Option("--keras", metavar="2|3", help="The Keras to verify on; 2,3 for both.")
]
TimeoutOption = Annotated[
    float | None, typer.Option("--timeout", min=1, metavar="SECONDS", help="For each verified run.")
]
ModesOption = Annotated[
    Strings,
    typer.Option(
        "--modes",
        metavar="MODE",
        help="eager, graph, xla (these unless given), fit or export. Commas or repeated.",
    ),
]
PrecisionOption = Annotated[
    Strings,
    typer.Option("--precision", metavar="POLICY", help="float32, mixed_float16, mixed_bfloat16 or float64."),
]
StrategyOption = Annotated[
    Strings, typer.Option("--strategy", metavar="NAME", help="none or mirrored (two replicas).")
]
PythonOption = Annotated[
    str | None,
    typer.Option("--python", metavar="PATH", help="Run with this interpreter, which has TensorFlow."),
]
ThoroughOption = Annotated[
    bool,
    typer.Option("--thorough", help="All modes, devices, precisions, strategies and both Keras; takes long."),
]
OnlyOption = Annotated[
    Strings, typer.Option("--only", metavar="SYMBOL", help="Verify only this class or function.")
]
CaseOption = Annotated[Strings, typer.Option("--case", metavar="NAME", help="Verify only with this case.")]
DeviceOption = Annotated[
    Strings, typer.Option("--device", metavar="KIND", help="cpu, gpu or all; what is present unless given.")
]
ShardOption = Annotated[
    str | None, typer.Option("--shard", metavar="I/N", help="Only the I-th of N parts, for N machines.")
]
ExecutorOption = Annotated[
    str | None,
    typer.Option(
        "--executor",
        metavar="PKG.MOD:FUNCTION",
        help="Verify with the concurrent.futures.Executor that this function gives: a cluster's.",
    ),
]
BaseOption = Annotated[
    str | None,
    typer.Option("--base", metavar="REV", help="Compare the working tree with this git revision."),
]


PatchOption = Annotated[
    Path | None,
    typer.Option(
        "--patch", metavar="FILE", help="Compare without and with this patch, be it applied already or not."
    ),
]


@dataclass(frozen=True, slots=True)
class _Codes:
    """What is looked for, and what is known of the code."""

    select: SelectOption = None
    ignore: IgnoreOption = None
    target: TargetOption = None
    unsafe: UnsafeOption = None
    unrolled: UnrolledOption = None
    traced: TracedOption = None
    recording: RecordingOption = None
    baseline: BaselineOption = None


@dataclass(frozen=True, slots=True)
class _Runs:
    """How rewrites are run to be verified."""

    keras: KerasOption = None
    timeout: TimeoutOption = None
    modes: ModesOption = None
    only: OnlyOption = None
    case: CaseOption = None
    device: DeviceOption = None
    precision: PrecisionOption = None
    strategy: StrategyOption = None
    python: PythonOption = None
    thorough: ThoroughOption = False

    def checks(self) -> Checks:
        """In plain data."""
        return Checks(
            keras=_words(self.keras) or (),
            timeout_s=self.timeout,
            modes=_words(self.modes) or (),
            only=tuple(self.only or ()),
            case=tuple(self.case or ()),
            devices=tuple(word.lower() for word in _words(self.device) or ()),
            precisions=_words(self.precision) or (),
            strategies=_words(self.strategy) or (),
            python=self.python,
            thorough=self.thorough,
        )


@dataclass(frozen=True, slots=True)
class _Files:
    """Which files are read, with which configuration, by how many processes."""

    exclude: ExcludeOption = None
    force_exclude: ForceExcludeOption = None
    jobs: JobsOption = None
    config: ConfigOption = None
    isolated: IsolatedOption = False
    no_cache: NoCacheOption = False

    def scope(self, paths: list[str], codes: _Codes) -> Scope:
        """These files and those codes, in plain data."""
        return Scope(
            paths=tuple(paths),
            select=_words(codes.select),
            ignore=_words(codes.ignore),
            exclude=tuple(self.exclude) if self.exclude else None,
            force_exclude=self.force_exclude,
            target=codes.target,
            unsafe=codes.unsafe,
            unrolled=codes.unrolled,
            jobs=self.jobs,
            config_file=self.config,
            isolated=self.isolated,
            no_cache=self.no_cache,
            traced=tuple(codes.traced) if codes.traced else None,
            recording=codes.recording,
            baseline=codes.baseline,
        )


@dataclass(frozen=True, slots=True)
class _Printing:
    """What becomes of the result."""

    format: FormatOption = Format.TEXT
    output_file: OutputFileOption = None
    report: ReportOption = None
    quiet: QuietOption = 0
    verbose: VerboseOption = 0
    color: ColorOption = ColorMode.AUTO

    def console(self) -> Console:
        """For what people read."""
        return Console.for_options(self.quiet, self.verbose, self.color)

    def output(self, baseline: Path | None = None) -> Output:
        """In plain data; ``baseline``: where to write one."""
        return Output(self.format, self.output_file, self.report, baseline)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"tfmigrate {__version__}")
        raise typer.Exit()


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
@grouped
def diff(
    paths: PathsArgument,
    codes: _Codes,
    write_baseline: WriteBaselineOption = None,
    verify: VerifyOption = False,
    *,
    runs: _Runs,
    files: _Files,
    stdin_filename: StdinOption = None,
    printing: _Printing,
) -> int:
    """Show what would be rewritten, as a diff that git apply takes. Writes nothing; exits 1 if there is a
    diff.
    """
    scope = dataclasses.replace(files.scope(paths, codes), stdin_filename=stdin_filename)
    return _rewrite(
        "DIFF", scope, runs.checks() if verify else None, printing.output(write_baseline), printing.console()
    )


@app.command()
@grouped
def apply(
    paths: PathsArgument,
    codes: _Codes,
    verify: VerifyOption = False,
    *,
    runs: _Runs,
    files: _Files,
    no_journal: NoJournalOption = False,
    stdin_filename: StdinOption = None,
    printing: _Printing,
) -> int:
    """Rewrite the files in place (with -, standard input to standard output). `undo` gives them back."""
    scope = files.scope(paths, codes)
    scope = dataclasses.replace(scope, stdin_filename=stdin_filename, no_journal=no_journal)
    return _rewrite("APPLY", scope, runs.checks() if verify else None, printing.output(), printing.console())


@app.command()
def undo(
    paths: UndoPathsArgument = None,
    show_list: Annotated[
        bool, typer.Option("--list", "-l", help="List what can be undone, the next first.")
    ] = False,
    show_diff: Annotated[
        bool,
        typer.Option("--diff", help="Show what would change, write nothing; exits 1 if there is a diff."),
    ] = False,
    force: Annotated[
        bool,
        typer.Option("--force", help="Give back files that were edited or deleted since, too."),
    ] = False,
    quiet: QuietOption = 0,
    verbose: VerboseOption = 0,
    color: ColorOption = ColorMode.AUTO,
) -> int:
    """Give back the files of the last apply as they were; again, those of the apply before it.

    A file that was edited since is left alone.
    """
    console = Console.for_options(quiet, verbose, color)

    def command() -> Exit:
        from tfmigrate.commands.undo import undo_command, undo_diff, undo_list

        if show_list:
            return undo_list(paths or (), console)
        return undo_diff(paths or (), console) if show_diff else undo_command(paths or (), force, console)

    return _guarded(command, console)


@app.command()
@grouped
def verify(
    paths: VerifyPathsArgument = None,
    base: BaseOption = None,
    patch: PatchOption = None,
    *,
    codes: _Codes,
    runs: _Runs,
    shard: ShardOption = None,
    executor: ExecutorOption = None,
    files: _Files,
    printing: _Printing,
) -> int:
    """Run code before and after, and compare.

    Without PATH: what the last apply found, and the working tree. With --base: a git revision and the working tree. With
    --patch: the code without and with a patch. With two folders: the first and the second. Else: PATH, and what tfmigrate
    would make of it.
    """
    scope, console = files.scope(paths or [], codes), printing.console()
    checks = dataclasses.replace(runs.checks(), base=base, patch=patch, shard=shard, executor=executor)

    def command() -> Exit:
        from tfmigrate.commands.verification import verify_command

        return verify_command(scope, checks, printing.output(), console)

    return _guarded(command, console)


@app.command(context_settings={"allow_interspersed_args": False, "ignore_unknown_options": False})
def record(
    program: Annotated[
        list[str],
        typer.Argument(
            metavar="PROGRAM [ARGS]...", help="A script, or with -m a module.", show_default=False
        ),
    ],
    module: Annotated[
        bool, typer.Option("-m", help="PROGRAM is a module, as in: tfmigrate record -m pytest tests.")
    ] = False,
    output_file: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The recording; tfmigrate-recording.json in the project's folder unless given.",
        ),
    ] = None,
    source: Annotated[
        Strings,
        typer.Option(
            "--source", metavar="FOLDER", help="Where your code is; the project's folder unless given."
        ),
    ] = None,
    samples: Annotated[
        bool,
        typer.Option("--samples", help="Keep the values of some calls, too (.npz files; mind private data)."),
    ] = False,
    append: Annotated[
        bool, typer.Option("--append", "-a", help="Add to the recording that is there.")
    ] = False,
) -> int:
    """Run a program unchanged, and keep what its layers, models and tf.functions are made and called with.

    verify, diff --verify and apply --verify then use it. Exits as the program does.
    """

    def command() -> Exit:
        from tfmigrate.commands.recording import record_command

        record_command(program, module, output_file, tuple(source or ()), samples, append)

    return _guarded(command, Console())


@app.command(name="list")
def list_(output: CatalogueFormatOption = CatalogueFormat.TEXT) -> int:
    """List the codes that there are."""
    console = Console()

    def command() -> Exit:
        from tfmigrate.commands.catalogue import list_codes

        return list_codes(output, console)

    return _guarded(command, console)


@app.command()
def explain(
    name: Annotated[
        str, typer.Argument(metavar="NAME|CODE", help="A codemod or a code.", show_default=False)
    ],
    output: CatalogueFormatOption = CatalogueFormat.TEXT,
) -> int:
    """Explain a codemod, with examples and reasons."""
    console = Console()

    def command() -> Exit:
        from tfmigrate.commands.catalogue import explain as explain_codemod

        return explain_codemod(name, output, console)

    return _guarded(command, console)


def _rewrite(mode: str, scope: Scope, checks: Checks | None, output: Output, console: Console) -> int:
    def command() -> Exit:
        from tfmigrate.commands.rewrite import WriteBack, rewrite

        return rewrite(scope, WriteBack[mode], checks, output, console)

    return _guarded(command, console)


def _guarded(command: Callable[[], Exit], console: Console) -> int:
    """The command's exit code. Each way in which it can fail has a code of its own, and none is 1."""
    try:
        return int(command())
    except UsageError as error:
        console.error(f"error: {error}")
        return Exit.USAGE
    except CannotVerify as error:
        console.error(f"error: nothing was verified, shown or written: {error}")
        return Exit.UNVERIFIED
    except KeyboardInterrupt:
        return Exit.INTERRUPTED
    except BrokenPipeError:
        return Exit.BROKEN_PIPE
    except Exception:
        import traceback

        trace = traceback.format_exc()
        console.error(f"internal error: {trace.strip().splitlines()[-1]}")
        console.error(f"This is a bug in tfmigrate {__version__}; please report it with what -v prints.")
        console.detail(trace)
        return Exit.FAILED


def _words(values: Strings) -> tuple[str, ...] | None:
    """``--select A,B --select C`` is A, B and C; None when the option was not given."""
    if not values:
        return None
    return tuple(word.strip() for value in values for word in value.split(",") if word.strip())


def run(arguments: Sequence[str]) -> int:
    """Parse ``arguments`` and run the command; usage errors are printed here."""
    try:
        code = app(list(arguments), prog_name="tfmigrate", standalone_mode=False)
    except Exception as error:
        # The exceptions of typer's parser have moved between its versions; all can show themselves.
        show = getattr(error, "show", None)
        if show is None:
            raise
        show(file=sys.stderr)
        return Exit.USAGE
    return code if isinstance(code, int) else Exit.DONE
